/** A mutant that no test noticed, as Stryker reports it; lines and columns start at 1. */
export interface Mutant {
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement?: string | undefined;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Score {
  readonly killed: number;
  readonly total: number;
}

/** What became of the mutants of one file. */
export interface FileResult extends Score {
  readonly survivors: readonly string[];
}

/** `docs/mutation-budget.json`: the survivors that are known, by file and name. Of a file in it, they may only shrink. */
export type Budget = Readonly<Record<string, FileResult>>;

export interface Verdict {
  /** Survivors that the budget does not name: the run fails. */
  readonly added: readonly string[];
  /** Named in the budget and killed or removed since: the budget has to shrink. */
  readonly removed: readonly string[];
  /** Files that the budget does not name yet: those that got their first unit test. */
  readonly entering: readonly string[];
}

const NOTICED = ['Killed', 'Timeout'];
const COUNTED = [...NOTICED, 'Survived', 'NoCoverage'];

/** Returns the results by file, sorted. `sourceOf` returns the text of a file. */
export function resultsOf(mutants: readonly Mutant[], sourceOf: (fileName: string) => string): Budget {
  const byFile = [...Map.groupBy(mutants, ({ fileName }) => fileName)];
  return Object.fromEntries(
    byFile
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([file, own]) => [file, { ...scoreOf(own), survivors: survivorsOf(own, sourceOf(file)) }]),
  );
}

export function sumOf(results: Budget): Score {
  return Object.values(results).reduce<Score>(
    (sum, { killed, total }) => ({ killed: sum.killed + killed, total: sum.total + total }),
    { killed: 0, total: 0 },
  );
}

export function scoreOf(mutants: readonly Mutant[]): Score {
  const counted = mutants.filter(({ status }) => COUNTED.includes(status));
  return { killed: counted.filter(({ status }) => NOTICED.includes(status)).length, total: counted.length };
}

/**
 * Names each survivor of a file by mutator, the text before and after, and a number where those are equal: names stay
 * when lines move.
 */
export function survivorsOf(mutants: readonly Mutant[], source: string): string[] {
  const seen = new Map<string, number>();
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .toSorted((a, b) => compare(a, b))
    .map((mutant) => {
      const { mutatorName, replacement = '', location } = mutant;
      const before = textBetween(source, location);
      const name = `${mutatorName}: ${short(before)} -> ${short(replacement)}`;
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      return nth === 1 ? name : `${name} (${nth})`;
    })
    .toSorted();
}

/** Compares the files that ran with their budget. */
export function judge(budget: Budget, results: Budget): Verdict {
  const named = (from: Budget) =>
    Object.keys(results).flatMap((file) => (from[file]?.survivors ?? []).map((name) => `${file}: ${name}`));
  const known = new Set(named(budget));
  const still = new Set(named(results));
  const entering = Object.keys(results).filter((file) => budget[file] === undefined);
  return {
    added: [...still].filter(
      (name) => !known.has(name) && !entering.some((file) => name.startsWith(`${file}: `)),
    ),
    removed: [...known].filter((name) => !still.has(name)),
    entering,
  };
}

function textBetween(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 77)}...`;
}

function compare(a: Mutant, b: Mutant): number {
  return a.location.start.line - b.location.start.line || a.location.start.column - b.location.start.column;
}
