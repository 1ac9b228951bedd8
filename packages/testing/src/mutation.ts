import { fileURLToPath } from 'node:url';

/** A part of the product that is removed, to show that the check of its promise fails without it. */
export interface Mutation {
  /** The end of the file's path: `messaging/src/inbox.ts`. For `mutateImports` from the root of the repository. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const MUTATIONS_SETTING = 'CASEWATCH_TEST_MUTATIONS';

/** Returns the source of a file with its mutations applied. @throws when a text to replace is missing */
export function mutate(source: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((text, { file, find, replace }) => {
    if (text.split(find).length !== 2) throw new Error(`${file} does not hold once: ${find}`);
    return text.replace(find, () => replace);
  }, source);
}

/** Returns the mutations that `mutatedBy` gave this process. */
export function mutationsOf(env: NodeJS.ProcessEnv): readonly Mutation[] {
  // Written below, by the test that started this process.
  return JSON.parse(env[MUTATIONS_SETTING] ?? '[]') as Mutation[];
}

/**
 * Returns what a process of the product is started with to lack something. Nothing of it is in the product: the sources are
 * changed on their way into that one process. It ends at once when a text to replace is missing.
 */
export function mutatedBy(mutations: readonly Mutation[]): Record<string, string> {
  if (mutations.length === 0) return { NODE_OPTIONS: '', [MUTATIONS_SETTING]: '[]' };
  const program = fileURLToPath(new URL('./mutate-modules.ts', import.meta.url));
  return { NODE_OPTIONS: `--import=${program}`, [MUTATIONS_SETTING]: JSON.stringify(mutations) };
}
