import { startTestRedis } from '@casewatch/dev-stack/redis/redis';
import { mutatedBy } from '@casewatch/testing/mutation';
import { startChild } from './child.ts';

/**
 * `npm run bench:fairness`: 20 users whose calls are 40 % of the allowed rate, scheduled checks that are always due, with
 * and without a user in 100 parallel loops; in one process, and as three replicas with Redis; rounds in turn. What is
 * measured is the budget of agency calls; a call is an answer after 5 ms. Ends with 1 when a goal is missed.
 * With `--baseline` all users are one in the queue, first come, first served: it must miss its goals.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = process.env.SECONDS ?? '20';
const GOALS = { usedShare: 0.98, monitorShare: 0.5, within: 0.02 };
const FIRST_COME = [
  {
    file: 'shared-state/src/call-queues/call-queue.ts',
    find: '[participant.id, participant.weight]',
    replace: "['everyone', 1]",
  },
];

interface Figures {
  light: number;
  heavy: number;
  monitor: number;
  refused: number;
  p50WaitMs: number;
  p95WaitMs: number;
  roundMs: number;
  usedShare: number;
  monitorShare: number;
  cpuSeconds: number;
}

const redis = await startTestRedis();
const kinds = ['memory', 'Redis'].flatMap((shape) =>
  [false, true].map((heavy) => ({ shape, heavy, rounds: [] as Figures[] })),
);
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { shape, heavy, rounds } of kinds) rounds.push(await play(shape, heavy));
  }
} finally {
  await redis.stop();
}
print();
const faults = kinds.flatMap(({ shape, heavy, rounds }) =>
  rounds.flatMap((figures) => faultsOf(figures, heavy).map((fault) => `${shape}: ${fault}`)),
);
for (const fault of new Set(faults)) console.log(`MISSED: ${fault}`);
console.log(faults.length === 0 ? 'All goals are met in every round.' : `${faults.length} goals missed.`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function play(shape: string, heavy: boolean): Promise<Figures> {
  const env = {
    SECONDS,
    HEAVY: heavy ? '1' : '0',
    REDIS_URL: shape === 'Redis' ? redis.url : '',
    ...(process.argv.includes('--baseline') ? mutatedBy(FIRST_COME) : {}),
  };
  const child = await startChild('bench/src/fairness/round.ts', env, /figures (\{.*\})\n/);
  await child.stop();
  return JSON.parse(child.found) as Figures;
}

function faultsOf(figures: Figures, heavy: boolean): string[] {
  const { refused, p95WaitMs, roundMs, usedShare, monitorShare } = figures;
  const least = GOALS.monitorShare - GOALS.within;
  const most = heavy ? GOALS.monitorShare + GOALS.within : 1;
  return [
    ...(refused > 0 ? ['some of the 20 users were refused'] : []),
    ...(p95WaitMs > roundMs ? ['they waited longer than one round (p95)'] : []),
    ...(usedShare < GOALS.usedShare ? ['less than 98 % of the allowed calls were used'] : []),
    ...(monitorShare < least || monitorShare > most ? ['monitoring had another share than its own'] : []),
  ];
}

function print(): void {
  console.log(
    '| shape | heavy user | light / heavy / checks | refused of the 20 | p50, p95 wait / round ms | used | checks | CPU s |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { shape, heavy, rounds } of kinds) {
    const of = (key: keyof Figures, digits: number, unit = 1) => {
      const values = rounds.map((figures) => figures[key] * unit).sort((a, b) => a - b);
      const text = (value: number | undefined) => (value ?? Number.NaN).toFixed(digits);
      return `${text(values[Math.floor(values.length / 2)])} (${text(values[0])}-${text(values.at(-1))})`;
    };
    console.log(
      `| ${shape} | ${heavy ? '100 loops' : 'none'} | ${of('light', 0)} / ${of('heavy', 0)} / ${of('monitor', 0)} | ${of('refused', 0)} | ${of('p50WaitMs', 0)}, ${of('p95WaitMs', 0)} / ${rounds[0]?.roundMs} | ${of('usedShare', 1, 100)} % | ${of('monitorShare', 1, 100)} % | ${of('cpuSeconds', 2)} |`,
    );
  }
}
