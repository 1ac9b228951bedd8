import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Counts, countPlaywright, countVitest, type Failure } from './read-report.ts';
import { reportOf, reportsFolder, root, type Stage } from './stages.ts';

export interface StageResult extends Counts {
  name: string;
  wallSeconds: number;
  /** Of the stage's process and all its descendants that were waited for; undefined without a POSIX shell. */
  cpuSeconds: number | undefined;
  failures: readonly Failure[];
}

const BARE = path.join(root, 'scripts', 'on-bare-machine.sh');
/** Writes the CPU time of the command and its descendants to the fourth file descriptor. */
const WITH_TIMES = '"$@"; status=$?; times >&3; exit $status';
const running = new Set<ChildProcess>();

/** Runs a stage to its end. One that fails without a failed test (a crash, no test at all) counts as one failure. */
export async function runStage(
  stage: Stage,
  { bare, seed }: { bare: boolean; seed: number | undefined },
): Promise<StageResult> {
  mkdirSync(reportsFolder, { recursive: true });
  rmSync(reportOf(stage), { force: true });
  const shuffled = seed === undefined || stage.counted !== 'vitest' ? [] : shuffleWords(seed);
  const program = stage.words[0]?.endsWith('.sh') ? [] : [process.execPath];
  const words = [...(bare ? [BARE] : []), ...program, ...stage.words, ...shuffled];
  const startedAtMs = performance.now();
  const { ok, cpuSeconds } = await run(words, stage);
  const wallSeconds = (performance.now() - startedAtMs) / 1_000;
  const { passed, failed, failures } = count(stage, ok);
  return { name: stage.name, wallSeconds, cpuSeconds, passed, failed, failures };
}

/** Ends what runs, with all that it has started. */
export function stopStages(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}

/** Returns Vitest's words for a shuffled order that can be repeated. */
export function shuffleWords(seed: number): string[] {
  return ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
}

function run(
  words: readonly string[],
  { env }: Stage,
): Promise<{ ok: boolean; cpuSeconds: number | undefined }> {
  const timed = process.platform !== 'win32';
  const [command = '', ...rest] = timed ? ['sh', '-c', WITH_TIMES, 'sh', ...words] : words;
  const child = spawn(command, rest, {
    cwd: root,
    // A group of its own, so that it can be ended with all its processes.
    detached: timed,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: {
      ...process.env,
      ...env,
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    },
  });
  running.add(child);
  let times = '';
  child.stdio[3]?.on('data', (text: Buffer) => {
    times += text;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => console.error(String(error)));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ ok: code === 0, cpuSeconds: readTimes(times) });
    });
  });
}

/** Reads the second line of POSIX `times`, which is about the shell's children: `1m2.3s 0m4.5s`. */
export function readTimes(text: string): number | undefined {
  const children = text.trim().split('\n')[1];
  if (children === undefined) return undefined;
  const parts = [...children.matchAll(/(\d+)m([\d.,]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds = '']) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  );
}

function count(stage: Stage, ok: boolean): Counts & { failures: readonly Failure[] } {
  if (stage.counted === 'exit code') return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, failures: [] };
  try {
    const report: unknown = JSON.parse(readFileSync(reportOf(stage), 'utf8'));
    const counts = (stage.counted === 'vitest' ? countVitest : countPlaywright)(report);
    const nothing = !stage.mayBeEmpty && counts.passed === 0;
    return { ...counts, failed: counts.failed === 0 && (!ok || nothing) ? 1 : counts.failed };
  } catch (error) {
    console.error(`no report of ${stage.name}: ${error}`);
    return { passed: 0, failed: 1, failures: [] };
  }
}
