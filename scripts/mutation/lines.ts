import { createHash } from 'node:crypto';

export interface Line {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Lines on which a mutation means nothing: empty, comment, import, or only brackets. */
const WITHOUT_CODE =
  /^\s*(?:$|\/\/|\/?\*|import |export (?:type|interface) |interface |type |readonly |[\][(){};,]*$)/;

/**
 * Returns `count` lines of code. Which ones depends on the seed and on the text of each line, not on its place: an edit
 * in other files leaves the sample as it is.
 */
export function sampleLines(
  files: ReadonlyMap<string, string>,
  { seed, count }: { seed: string; count: number },
): Line[] {
  return [...files]
    .flatMap(([file, source]) =>
      source.split('\n').map((text, index) => ({ file, number: index + 1, text, rank: '' })),
    )
    .filter(({ text }) => !WITHOUT_CODE.test(text))
    .map((line) => ({ ...line, rank: rankOf(seed, line) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ file, number, text }) => ({ file, number, text: text.trim() }));
}

function rankOf(seed: string, { file, text }: Line): string {
  return createHash('sha256').update(`${seed}\n${file}\n${text.trim()}`).digest('hex');
}
