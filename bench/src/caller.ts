import { availableParallelism, loadavg } from 'node:os';
import { type CasesLoad, createCasesLoad, pause } from './caller/cases-load.ts';
import { startTwoCases, type TwoCases } from './caller/two-cases.ts';
import { spread } from './spread.ts';

/**
 * `npm run bench:caller`: two processes of cases, one of which calls the agency for both, with PostgreSQL (fsync on) and Kafka.
 * 1. Rate: as many calls as there are; then 200 a second, and the processor time of both processes and of PostgreSQL.
 * 2. Budget: ten calls a second while work is due all the time: how much of them is used, and the most in any second.
 * 3. Handover: from kill -9 of the caller, and from SIGTERM, to the next call: the longest time without one.
 * 4. A lookup of a case that is not stored, at half the rate, compared with the agency's own time: at the process that calls and at the other.
 * Rounds of each (`ROUNDS`, 3); ends with 1 when a floor is missed. Linux only: processor time is read from /proc.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 10);
const UNTHROTTLED = '100000';
const OFFERED = 200;
const BUDGET = 10;
const BUDGET_SECONDS = 20;
const LOOKUPS = 100;
const FLOORS = {
  perSecond: 200,
  cores: 0.6,
  used: 0.98,
  most: BUDGET,
  killedMs: 4_000,
  stoppedMs: 1_200,
  p50Ms: 40,
  p99Ms: 120,
};

let missed = 0;
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
const load = createCasesLoad();
const cases = await startTwoCases({
  ...load.env,
  AGENCY_CALLS_PER_SECOND: UNTHROTTLED,
  // No limit of the day and no share hides what is measured.
  AGENCY_CALLS_PER_DAY: '1000000000',
  AGENCY_MONITORING_SHARE: '0.5',
});
try {
  console.log('\n| | median (least-most) | floor |\n|---|---|---|');
  await rate(cases, load);
  await cases.restart({ AGENCY_CALLS_PER_SECOND: String(BUDGET) });
  await budget(cases, load);
  await lookups(cases, load);
  await handovers(cases, load);
} finally {
  await load.stop();
  await cases.stop();
}
if (missed > 0) process.exitCode = 1;

async function rate(of: TwoCases, { keepDue, check }: CasesLoad): Promise<void> {
  const [most, cores, casesMs, postgresMs]: number[][] = [[], [], [], []];
  const { caller, other } = await of.roles();
  for (let round = 0; round < ROUNDS; round++) {
    const stops = [keepDue(caller.url, 2), keepDue(other.url, 2)];
    await pause(2_000);
    const before = await of.made();
    const startedMs = performance.now();
    await pause(SECONDS * 1_000);
    const calls = (await of.made()).total - before.total;
    most?.push(calls / ((performance.now() - startedMs) / 1_000));
    await Promise.all(stops.map((stop) => stop()));

    const offered = await offer(of, (count) => check(other.url, count));
    cores?.push(offered.cpu.cases / offered.seconds + offered.cpu.postgres / offered.seconds);
    casesMs?.push((offered.cpu.cases * 1_000) / offered.calls);
    postgresMs?.push((offered.cpu.postgres * 1_000) / offered.calls);
  }
  row('calls a second', most, 0, `>= ${FLOORS.perSecond}`, (value) => value >= FLOORS.perSecond);
  row(`cores at ${OFFERED} a second`, cores, 2, `<= ${FLOORS.cores}`, (value) => value <= FLOORS.cores);
  row('of it CPU ms a call, both processes', casesMs, 2);
  row('of it CPU ms a call, PostgreSQL', postgresMs, 2);
}

/** Checks at the given rate, a tenth of them every 100 ms. */
async function offer(of: TwoCases, check: (count: number) => Promise<unknown>) {
  const before = { ...of.cpu(), ...(await of.made()) };
  const startedMs = performance.now();
  const asked: Promise<unknown>[] = [];
  for (let tick = 0; tick < SECONDS * 10; tick++) {
    asked.push(check(OFFERED / 10));
    await pause(startedMs + (tick + 1) * 100 - performance.now());
  }
  await Promise.all(asked);
  const after = of.cpu();
  return {
    seconds: (performance.now() - startedMs) / 1_000,
    calls: (await of.made()).total - before.total,
    cpu: { cases: after.cases - before.cases, postgres: after.postgres - before.postgres },
  };
}

async function budget(of: TwoCases, { keepDue }: CasesLoad): Promise<void> {
  const [used, most]: number[][] = [[], []];
  const { caller, other } = await of.roles();
  const stops = [keepDue(caller.url, 1), keepDue(other.url, 1)];
  for (let round = 0; round < ROUNDS; round++) {
    await pause(2_000);
    await of.forgetCalls();
    // From one full window to another: a part of a burst would count for all of it.
    const fromMs = await reached(of, BUDGET);
    const toMs = await reached(of, BUDGET * (1 + BUDGET_SECONDS));
    used?.push(BUDGET_SECONDS / ((toMs - fromMs) / 1_000));
    most?.push((await of.made()).maxInAnySecond);
  }
  await Promise.all(stops.map((stop) => stop()));
  row(`used of ${BUDGET} calls a second`, used, 3, `>= ${FLOORS.used}`, (value) => value >= FLOORS.used);
  row('most in any second', most, 0, `<= ${FLOORS.most}`, (value) => value <= FLOORS.most);
}

async function reached(of: TwoCases, total: number): Promise<number> {
  while ((await of.made()).total < total) await pause(5);
  return performance.now();
}

async function handovers(of: TwoCases, { keepDue }: CasesLoad): Promise<void> {
  const gaps: Record<'SIGKILL' | 'SIGTERM', number[]> = { SIGKILL: [], SIGTERM: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { caller, other } = await of.roles();
      const stop = keepDue(other.url, 2);
      await pause(3_000);
      const gap = of.longestGapMs(5 * BUDGET);
      await caller.kill(signal);
      gaps[signal].push(await gap);
      await stop();
      await caller.restart();
    }
  }
  row(
    'kill -9 to the next call, ms',
    gaps.SIGKILL,
    0,
    `<= ${FLOORS.killedMs}`,
    (ms) => ms <= FLOORS.killedMs,
  );
  row(
    'SIGTERM to the next call, ms',
    gaps.SIGTERM,
    0,
    `<= ${FLOORS.stoppedMs}`,
    (ms) => ms <= FLOORS.stoppedMs,
  );
}

async function lookups(of: TwoCases, { lookUp }: CasesLoad): Promise<void> {
  const { caller, other } = await of.roles();
  const places = { 'at the caller': caller.url, 'at the other': other.url };
  const times = new Map<string, number[][]>(Object.keys(places).map((name) => [name, []]));
  const agencyMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, url] of Object.entries(places)) {
      const took: Promise<number>[] = [];
      for (let nth = 0; nth < LOOKUPS; nth++) {
        took.push(lookUp(url));
        // Half the rate, and never in step with what looks every 25 or 100 ms.
        await pause((2_000 / BUDGET) * (0.5 + Math.random()));
      }
      times.get(name)?.push(await Promise.all(took));
    }
    const startedMs = performance.now();
    await fetch(`${of.agencyUrl}/case-status/WAC0000000002`).then((answer) => answer.text());
    agencyMs.push(performance.now() - startedMs);
  }
  row("the agency's own time, ms", agencyMs, 1);
  const all = [...times.values()];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => all.flatMap((one) => one[round] ?? []));
  for (const [name, one] of times) {
    row(`lookup ${name}, p50, ms`, one.map(at(0.5)), 0);
    row(`lookup ${name}, p99, ms`, one.map(at(0.99)), 0);
  }
  row('lookup, p50, ms', rounds.map(at(0.5)), 0, `<= ${FLOORS.p50Ms}`, (ms) => ms <= FLOORS.p50Ms);
  row('lookup, p99, ms', rounds.map(at(0.99)), 0, `<= ${FLOORS.p99Ms}`, (ms) => ms <= FLOORS.p99Ms);
}

function at(share: number) {
  return (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? Number.NaN;
}

/** The median has to keep the floor. */
function row(
  name: string,
  values: readonly number[] | undefined,
  digits: number,
  floor = '',
  isKept: (value: number) => boolean = () => true,
): void {
  const all = values ?? [];
  const middle = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  const isMissed = floor !== '' && !isKept(middle);
  if (isMissed) missed += 1;
  console.log(`| ${name} | ${spread(all, digits)} | ${floor}${isMissed ? ' **missed**' : ''} |`);
}
