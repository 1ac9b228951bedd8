import type { Plugin } from 'vite';
import { type Mutation, mutate } from './mutation.ts';

const PARAMETER = 'mutated';

/** Returns the id under which `mutatedSources` loads a file with its mutations applied. */
export function mutatedId(path: string, mutations: readonly Mutation[]): string {
  return `${path}?${PARAMETER}=${Buffer.from(JSON.stringify(mutations)).toString('base64url')}`;
}

/** Changes sources on their way into a test that asks for it with `mutateImports`. */
export function mutatedSources(): Plugin {
  return {
    name: 'casewatch:mutated-sources',
    enforce: 'pre',
    transform: {
      filter: { id: new RegExp(`[?&]${PARAMETER}=`) },
      handler(code, id) {
        const given = new URLSearchParams(id.slice(id.indexOf('?'))).get(PARAMETER) ?? '';
        // Written above, by a test.
        const mutations = JSON.parse(Buffer.from(given, 'base64url').toString()) as Mutation[];
        return { code: mutate(code, mutations), map: null };
      },
    },
  };
}
