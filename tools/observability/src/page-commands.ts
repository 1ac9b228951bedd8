import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** A block of code in a page for operators. */
export interface Command {
  /** Relative to `docs`. */
  page: string;
  /** Title of the part of the page in which it stands. */
  section: string;
  language: string;
  text: string;
  /** Why no test runs it: what follows `# not run here:` (`--` in SQL) in its first line. */
  notRun: string | undefined;
}

export const RUNBOOKS = readdirSync(`${docs}runbooks`).map((name) => `runbooks/${name}`);
export const GUIDES = [
  'operations.md',
  'on-call.md',
  'recovery.md',
  'data-stores.md',
  'personal-data.md',
  'observability.md',
  'slo.md',
  'stripe.md',
];

/** Returns the blocks of a page in their order, without the indentation of a list. */
export function commandsOf(page: string): Command[] {
  const text = readFileSync(`${docs}${page}`, 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: block = '' }) => {
      const unindented = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      return {
        page,
        section: [...text.slice(0, index).matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '',
        language,
        text: unindented,
        notRun: /^(?:#|--) not run here: (\S.+)/.exec(unindented)?.[1],
      };
    },
  );
}

/** Returns the code within sentences. */
export const inlineCodeOf = (page: string): string[] => {
  const prose = readFileSync(`${docs}${page}`, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
};
