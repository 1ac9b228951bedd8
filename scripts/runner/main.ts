import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { withCacheLock } from '@casewatch/dev-stack/tools/cache-lock';
import { changeBegins, relatedTests } from './related-tests.ts';
import { runStage, type StageResult, shuffleWords, stopStages } from './run-stage.ts';
import { COMMANDS, reportsFolder, type Stage, stages } from './stages.ts';
import { summary } from './summary.ts';

/** Runs of one user on one machine take turns, stage by stage: two at once would take each test out of its time. */
const TURN_LOCK = path.join(tmpdir(), `casewatch-test-run-${process.getuid?.() ?? 'user'}.lock`);
/** Longer than a run that waits takes to look again, so that the turn passes on. */
const HANDOVER_MS = 300;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    shuffle: { type: 'boolean' },
    seed: { type: 'string' },
    since: { type: 'string' },
    bare: { type: 'boolean' },
  },
  args: process.argv
    .slice(2)
    .flatMap((word) => (word.startsWith('--shuffle=') ? ['--shuffle', '--seed', word.slice(10)] : [word])),
});
const command = COMMANDS.find((name) => name === (positionals[0] ?? 'test'));
const seed = values.shuffle || command === 'nightly' ? Number(values.seed ?? randomInt(2 ** 31)) : undefined;

const chosen = choose();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
const startedAtMs = performance.now();
// A report of an earlier run shows nothing of this one.
if (command !== undefined) rmSync(reportsFolder, { recursive: true, force: true });
if (seed !== undefined)
  console.log(`Shuffled with seed ${seed}; the same order again: npm test -- --shuffle=${seed}`);
const results: StageResult[] = [];
for (const stage of chosen) results.push(...(await inTurn(stage)));
printFailures();
if (stopping.signal.aborted) console.log('\nStopped: the stages that had not begun did not run.');
console.log(summary(results, { wallSeconds: (performance.now() - startedAtMs) / 1_000 }));
process.exitCode = results.length === 0 || results.some(({ failed }) => failed > 0) ? 1 : 0;

function readArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const commands = COMMANDS.join(', ');
    console.error(`${error instanceof Error ? error.message : error}
npm test -- [command or names of stages] [--shuffle[=seed]] [--since commit] [--bare]
Commands: ${commands}. What they run: CONTRIBUTING.md.\n\n0 passed, 1 failed`);
    process.exit(2);
  }
}

function choose(): Stage[] {
  const related = command === 'check' ? relatedTests(values.since ?? changeBegins()) : undefined;
  const all = stages(command, related);
  if (command !== undefined) return all.filter(({ commands }) => commands.includes(command));
  const unknown = positionals.filter((name) => !all.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(
      `No stage is called ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.\n\n0 passed, 1 failed`,
    );
    process.exit(2);
  }
  return all.filter(({ name }) => positionals.includes(name));
}

/** `npm run check` and single stages are interactive and mostly short: they take no turns. */
async function inTurn(stage: Stage): Promise<StageResult[]> {
  if (command === undefined || command === 'check') return runOne(stage);
  try {
    const waiting = (holder: number) => `\nwaiting for a stage of another run, process ${holder}`;
    const results = await withCacheLock(TURN_LOCK, () => runOne(stage), {
      waiting,
      signal: stopping.signal,
    });
    await pause(HANDOVER_MS);
    return results;
  } catch (error) {
    if (stopping.signal.aborted) return [];
    throw error;
  }
}

/** Returns its result; nothing once the run is stopped. */
async function runOne(stage: Stage): Promise<StageResult[]> {
  if (stopping.signal.aborted) return [];
  console.log(`\n== ${stage.name}`);
  const bare = values.bare === true && (stage.onNodeAlone ?? stage.commands.includes('test'));
  const result = await runStage(stage, { bare, seed });
  const seconds = result.wallSeconds.toFixed(0);
  console.log(`== ${stage.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  return [result];
}

/** Ends what runs, and begins nothing more. */
function stop(): void {
  stopping.abort();
  stopStages();
}

function printFailures(): void {
  for (const { name, failed, failures } of results) {
    if (failed === 0) continue;
    console.log(`\n${name} failed; again: npm test -- ${name.includes(' ') ? `'${name}'` : name}`);
    for (const failure of failures) {
      const shuffled =
        seed !== undefined && failure.command.includes('vitest') ? ` ${shuffleWords(seed).join(' ')}` : '';
      console.log(`  ${failure.name}\n    ${failure.command}${shuffled}`);
      if (failure.reason) console.log(failure.reason.replace(/^/gm, '    | '));
    }
  }
}
