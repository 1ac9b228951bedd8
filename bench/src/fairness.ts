import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { registry } from '@casewatch/host/registry';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { mutatedBy } from '@casewatch/testing/mutation';
import { startChild } from './child.ts';

/**
 * `npm run bench:fairness`: 20 users whose calls are 40 % of the allowed rate, scheduled checks that are always due, with
 * and without a user in 100 parallel loops; of one replica, and of three; rounds in turn, one each (under 3 minutes) unless ROUNDS
 * says more. What is measured is the way from a
 * lookup to the agency, with PostgreSQL; a call is an answer after 5 ms. Ends with 1 when a goal is missed.
 * With `--baseline` all users are one in the queue, first come, first served: it must miss its goals.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const SECONDS = process.env.SECONDS ?? '25';
const GOALS = { usedShare: 0.98, monitorShare: 0.5, within: 0.02 };
const FIRST_COME = [
  {
    file: 'cases/src/caller/waiting-cases.ts',
    find: '[requester.userId, weights[requester.tier]]',
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

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const roleSecret = randomBytes(16).toString('hex');
const database = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), password: roleSecret });
const kinds = [1, 3].flatMap((replicas) =>
  [false, true].map((heavy) => ({ replicas, heavy, rounds: [] as Figures[] })),
);
try {
  await migrate({
    ownerUrl: database.ownerUrl,
    services: registry.filter(({ name }) => name === 'cases'),
    roleSecret,
    logger: createLogger({ level: 'error', name: 'bench' }),
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { replicas, heavy, rounds } of kinds) rounds.push(await play(replicas, heavy));
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
print();
const missed = kinds.flatMap(({ replicas, heavy, rounds }) =>
  rounds.flatMap((figures) => missedGoals(figures, heavy).map((goal) => `${replicas} replicas: ${goal}`)),
);
for (const goal of new Set(missed)) console.log(`MISSED: ${goal}`);
console.log(missed.length === 0 ? 'All goals are met in every round.' : `${missed.length} goals missed.`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function play(replicas: number, heavy: boolean): Promise<Figures> {
  const env = {
    SECONDS,
    HEAVY: heavy ? '1' : '0',
    REPLICAS: String(replicas),
    DATABASE_URL: serviceUrl(database.ownerUrl, 'cases', roleSecret),
    ...(process.argv.includes('--baseline') ? mutatedBy(FIRST_COME) : {}),
  };
  const child = await startChild('bench/src/fairness/round.ts', env, /figures (\{.*\})\n/);
  await child.stop();
  return JSON.parse(child.found) as Figures;
}

function missedGoals(figures: Figures, heavy: boolean): string[] {
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
    '| replicas | heavy user | light / heavy / checks | refused of the 20 | p50, p95 wait / round ms | used | checks | CPU s |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { replicas, heavy, rounds } of kinds) {
    const of = (key: keyof Figures, digits: number, unit = 1) => {
      const values = rounds.map((figures) => figures[key] * unit).sort((a, b) => a - b);
      const text = (value: number | undefined) => (value ?? Number.NaN).toFixed(digits);
      return `${text(values[Math.floor(values.length / 2)])} (${text(values[0])}-${text(values.at(-1))})`;
    };
    console.log(
      `| ${replicas} | ${heavy ? '100 loops' : 'none'} | ${of('light', 0)} / ${of('heavy', 0)} / ${of('monitor', 0)} | ${of('refused', 0)} | ${of('p50WaitMs', 0)}, ${of('p95WaitMs', 0)} / ${rounds[0]?.roundMs} | ${of('usedShare', 1, 100)} % | ${of('monitorShare', 1, 100)} % | ${of('cpuSeconds', 2)} |`,
    );
  }
}
