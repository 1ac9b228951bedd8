import { SWITCHES, type Switch } from './ways-of-stripe.ts';

/** How a test file ended, and what its simulators have decided by. */
export interface Outcome {
  file: string;
  passed: boolean;
  consulted: readonly Switch[];
}

/** @throws Error for a run that failed though each of its tests passed: an error that no test has caught shows nothing of any way */
export function requireReason(exitCode: number | null, tests: readonly { status: string }[]): void {
  if (exitCode !== 0 && tests.every(({ status }) => status === 'passed'))
    throw new Error('the run has failed, and no test of it');
}

/** What the runs of one test file have shown. */
export interface Walked {
  runs: number;
  consulted: Set<Switch>;
  /** In how many of all ways it passes. */
  shown: number;
  failedIn: (readonly Switch[])[];
}

/** Every combination, each as the switches that are turned; the first one is the default. */
export const WAYS: readonly (readonly Switch[])[] = Array.from({ length: 2 ** SWITCHES.length }, (_, bits) =>
  SWITCHES.filter((_name, place) => bits & (1 << place)),
);

/**
 * Runs each test file until it is shown in every way. A run shows all ways that agree with its own in what was consulted, since nothing
 * else was decided by; the next run takes a way that is not shown yet, so that at the end there is none.
 */
export function walkEveryWay(
  /** Runs the files in this way; without any, all that there are. */
  run: (way: readonly Switch[], files: readonly string[]) => readonly Outcome[],
): ReadonlyMap<string, Walked> {
  const walked = new Map<string, Walked>();
  const left = new Map<string, Set<readonly Switch[]>>();
  const waitingFor = (way: readonly Switch[]) =>
    [...left].flatMap(([file, ways]) => (ways.has(way) ? [file] : []));
  for (;;) {
    const [way = []] = WAYS.toSorted((a, b) => waitingFor(b).length - waitingFor(a).length);
    const files = waitingFor(way);
    if (left.size > 0 && files.length === 0) return walked;
    for (const { file, passed, consulted } of run(way, files)) {
      const before = walked.get(file) ?? { runs: 0, consulted: new Set(), shown: 0, failedIn: [] };
      const waiting = left.get(file) ?? new Set(WAYS);
      const alike = [...waiting].filter((each) =>
        consulted.every((name) => each.includes(name) === way.includes(name)),
      );
      for (const each of alike) waiting.delete(each);
      left.set(file, waiting);
      walked.set(file, {
        runs: before.runs + 1,
        consulted: new Set([...before.consulted, ...consulted]),
        shown: before.shown + (passed ? alike.length : 0),
        failedIn: passed ? before.failedIn : [...before.failedIn, way],
      });
    }
    const unanswered = waitingFor(way);
    if (left.size === 0 || unanswered.length > 0) throw new Error(`no result of ${unanswered.join(', ')}`);
  }
}
