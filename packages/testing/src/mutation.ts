import { fileURLToPath } from 'node:url';

/** A part of the product that is removed, to show that the check of its promise fails without it. */
export interface Mutation {
  /** The end of the file's path: `messaging/src/inbox.ts`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const MUTATIONS_SETTING = 'CASEWATCH_TEST_MUTATIONS';

/** The mutations that `mutatedBy` gave this process. */
export function mutationsOf(env: NodeJS.ProcessEnv): readonly Mutation[] {
  // Written below, by the test that started this process.
  return JSON.parse(env[MUTATIONS_SETTING] ?? '[]') as Mutation[];
}

/**
 * What a process of the product is started with to lack something. Nothing of it is in the product: the sources are
 * changed on their way into that one process. It ends at once when a text to replace is missing.
 */
export function mutatedBy(mutations: readonly Mutation[]): Record<string, string> {
  if (mutations.length === 0) return { NODE_OPTIONS: '', [MUTATIONS_SETTING]: '[]' };
  const program = fileURLToPath(new URL('./mutate-modules.ts', import.meta.url));
  return { NODE_OPTIONS: `--import=${program}`, [MUTATIONS_SETTING]: JSON.stringify(mutations) };
}
