import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryOf } from '../image/process-figures.ts';
import { childrenOf, cpuSecondsOfTree } from '../pipeline/cpu.ts';
import { startCasewatch } from './casewatch.ts';
import { startChangedetection } from './changedetection.ts';
import { median, spread } from './spread.ts';
import type { Tracker } from './tracker.ts';
import { startWatchedAgency, type WatchedAgency } from './watched-agency.ts';

const WATCHES = Number(process.env.WATCHES ?? 1_000);
/** changedetection.io's. */
const WORKERS = Number(process.env.WORKERS ?? 10);
const CHANGED_PERCENT = 5;
const POLL_MS = 20;
const GIVE_UP_MS = 150_000;
const GOAL = 5;

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly megabytes: number;
  /** From the agency's answer with the change to the notice, ms. */
  readonly noticesMs: readonly number[];
}

/**
 * Lets changedetection.io and the product watch the same cases at the same agency. In each round all of them are due at once for one,
 * then for the other; one in twenty has changed. A round ends when every case was answered, every change was noticed, and everything is
 * stored. Returns whether the goals are met.
 */
export async function compareTrackers(rounds: number): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-peers-'));
  // As `createWatchedCases` numbers them; each has a case at the simulator.
  const receiptNumbers = Array.from(
    { length: WATCHES },
    (_, n) => `WAC${String((n + 1) * 2).padStart(10, '0')}`,
  );
  const changing = receiptNumbers.filter((_, n) => n % 100 < CHANGED_PERCENT);
  const agency = await startWatchedAgency();
  const noticedAtMs = new Map<string, number>();
  const onNotice = (receiptNumber: string) => noticedAtMs.set(receiptNumber, Date.now());
  const trackers: Tracker[] = [];
  try {
    const peerFolder = path.join(folder, 'changedetection');
    trackers.push(
      await startChangedetection({ folder: peerFolder, agency, receiptNumbers, workers: WORKERS, onNotice }),
    );
    await until('the first checks', async () => agency.answeredAtMs.size >= WATCHES);
    trackers.push(
      await startCasewatch({ folder: path.join(folder, 'casewatch'), agency, watches: WATCHES, onNotice }),
    );
    // Each has seen every case once and is warm after it.
    for (const tracker of trackers) await playRound(tracker, agency, noticedAtMs, []);
    const measured = new Map<string, Round[]>(trackers.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const tracker of round % 2 === 0 ? trackers : trackers.toReversed()) {
        await agency.move(changing, `Seen by ${tracker.name} in round ${round}`);
        measured.get(tracker.name)?.push(await playRound(tracker, agency, noticedAtMs, changing));
      }
    }
    const [peer = [], product = []] = trackers.map(({ name }) => measured.get(name));
    return print(peer, product);
  } finally {
    for (const tracker of trackers.reverse()) await tracker.stop();
    await agency.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playRound(
  tracker: Tracker,
  { answeredAtMs, forgetAnswers }: WatchedAgency,
  noticedAtMs: Map<string, number>,
  changing: readonly string[],
): Promise<Round> {
  noticedAtMs.clear();
  forgetAnswers();
  await tracker.makeAllDue();
  const startedMs = performance.now();
  const cpuBefore = cpuSecondsOf(tracker);
  await until(`${WATCHES} checks by ${tracker.name}`, async () => answeredAtMs.size >= WATCHES);
  await until(`${changing.length} notices of ${tracker.name}`, async () =>
    changing.every((receiptNumber) => noticedAtMs.has(receiptNumber)),
  );
  await until(`${tracker.name} to store them`, tracker.isSettled);
  const seconds = (performance.now() - startedMs) / 1_000;
  return {
    perSecond: WATCHES / seconds,
    cpuMs: ((cpuSecondsOf(tracker) - cpuBefore) * 1_000) / WATCHES,
    megabytes: megabytesOf(tracker),
    noticesMs: changing.map(
      (receiptNumber) => (noticedAtMs.get(receiptNumber) ?? 0) - (answeredAtMs.get(receiptNumber) ?? 0),
    ),
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function cpuSecondsOf(tracker: Tracker): number {
  return tracker.pids().reduce((sum, pid) => sum + cpuSecondsOfTree(pid), 0);
}

/** Pages that processes share are counted once. */
function megabytesOf(tracker: Tracker): number {
  const all = tracker.pids().flatMap((pid) => [pid, ...childrenOf(pid)]);
  return all.reduce((sum, pid) => sum + memoryOf(pid).pss, 0);
}

function print(peer: readonly Round[], product: readonly Round[]): boolean {
  const of = (rounds: readonly Round[], figure: 'perSecond' | 'cpuMs' | 'megabytes') =>
    rounds.map((round) => round[figure]);
  // The two of a round follow one another, so that both had much the same machine.
  const rate = product.map((round, nth) => round.perSecond / (peer[nth]?.perSecond ?? Number.NaN));
  const cpu = peer.map((round, nth) => round.cpuMs / (product[nth]?.cpuMs ?? Number.NaN));
  const row = (name: string, figure: 'perSecond' | 'cpuMs' | 'megabytes', digits: number, goal: string) =>
    console.log(
      `| ${name} | ${spread(of(peer, figure), digits)} | ${spread(of(product, figure), digits)} | ${goal} |`,
    );
  const notices = (rounds: readonly Round[]) =>
    spread(
      rounds.flatMap((round) => round.noticesMs),
      0,
    );
  console.log(
    `\n| ${WATCHES} watches due at once, ${CHANGED_PERCENT} % changed | changedetection.io | Casewatch | |`,
  );
  console.log('|---|---|---|---|');
  row('checks a second', 'perSecond', 0, `${spread(rate, 1)} times as many, goal ${GOAL}`);
  row('CPU ms per check', 'cpuMs', 2, `one ${spread(cpu, 1)}th, goal ${GOAL}`);
  row('memory, MB', 'megabytes', 0, '');
  console.log(`| answer to notice, ms | ${notices(peer)} | ${notices(product)} | |`);
  return median(rate) >= GOAL && median(cpu) >= GOAL;
}
