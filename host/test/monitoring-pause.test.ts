import { caseWatchChanged, userChanged } from '@casewatch/contracts/events';
import type { MonitoringFrequency, Tier } from '@casewatch/contracts/limits';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import type { Mutation } from '@casewatch/testing/mutation';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';

/** Cases and monitoring with their databases and outboxes: what runs is what the user last chose while allowed. */

const RECEIPTS = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405'];
const logger = pino({ level: 'silent' });

type Parts = Awaited<ReturnType<typeof start>>;
const parts = await forThisFile(start());

async function start() {
  const clock = createManualClock();
  const database = await createTestDatabase();
  // As mutated, if they are.
  const [{ service: casesService }, { service: monitoringService }] = await Promise.all([
    import('@casewatch/cases/service'),
    import('@casewatch/monitoring/service'),
  ]);
  const agency = { AGENCY_CLIENT_ID: 'unused', AGENCY_CLIENT_SECRET: 'unused' };
  const cases = await startTestService(casesService, { clock, database, env: agency });
  const monitoring = await startTestService(monitoringService, { clock, database });
  const consumers = [cases, monitoring].map(({ service }, index) => {
    const name = index === 0 ? 'cases' : 'monitoring';
    const pool = database.openPool(name, 4);
    const policy = { ...defaultPolicy, retryDelaysMs: [] };
    return createGroupConsumer({ group: name, handlers: service.consumers, pool, clock, logger, policy });
  });
  const [toCases, toMonitoring] = consumers;
  if (!toCases || !toMonitoring) throw new Error('both services consume');
  let relayed = 0;

  return {
    clock,
    cases,
    toCases,
    /** Hands over what cases has published since, each event twice, as a consumer that is killed in between reads it. */
    async relay() {
      const rows = await database.query<{ id: string; payload: { receiptNumber: string }; at: string }>(
        `SELECT id::text, payload, headers->>'ce_time' AS at FROM cases.outbox
         WHERE topic = 'case-watch-changed' ORDER BY seq OFFSET $1`,
        [relayed],
      );
      relayed += rows.length;
      for (const { id, payload, at } of [...rows, ...rows]) {
        const delivery = { id, topic: caseWatchChanged.name, key: payload.receiptNumber, payload };
        await toMonitoring.dispatch({ ...delivery, headers: { ce_time: at } });
      }
    },
    running: async (userId: string) => {
      const watches = await monitoring.call('GET', '/api/watches', { as: { userId } });
      const list = (await watches.json()) as { receiptNumber: string; frequency: string }[];
      return Object.fromEntries(list.map(({ receiptNumber, frequency }) => [receiptNumber, frequency]));
    },
    async stop() {
      for (const consumer of consumers) await consumer.stop();
      await cases.stop();
      await monitoring.stop();
      await database.drop();
    },
  };
}

type Step =
  | { act: 'end' }
  | { act: 'return' }
  | { act: 'choose'; receipt: string; frequency: MonitoringFrequency }
  | { act: 'remove'; receipt: string }
  | { act: 'restore'; receipt: string }
  | { act: 'undo' };

const receipt = fc.constantFrom(...RECEIPTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom({ act: 'end' } as const, { act: 'return' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('choose'),
      receipt,
      frequency: fc.constantFrom('none', 'daily', 'weekly', 'monthly'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove'), receipt }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('restore'), receipt }) },
  { weight: 2, arbitrary: fc.constant({ act: 'undo' } as const) },
);

interface Lateness {
  /** How many steps later cases learns of a plan. */
  plan: number;
  /** How many steps later the user's token does. */
  token: number;
  /** How far identity's clock is ahead. */
  skewSeconds: number;
}

/** What a new user does, step by step; resolves to what runs and is shown in the end, and to what should be. */
async function afterSteps(on: Parts, steps: readonly Step[], late: Lateness) {
  const userId = crypto.randomUUID();
  let tier: Tier = 'pro';
  let sequence = 0;
  const plans: { tier: Tier; version: number; atMs: number; dueAt: number }[] = [];
  const chosen = new Map<string, MonitoringFrequency>();
  const saved = new Set<string>(RECEIPTS);
  /** What the last choice replaced. */
  let replaced: { receipt: string; frequency: MonitoringFrequency } | undefined;
  const tiers: Tier[] = [tier];
  const as = () => ({ userId, tier: tiers.at(-1 - late.token) ?? 'pro', name: 'Ada' });
  const send = (method: string, path: string, body?: unknown) =>
    on.cases.call(method, `/api/saved-cases${path}`, { as: as(), ...(body ? { body } : {}) });
  const learn = async (untilStep: number) => {
    while ((plans[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= untilStep) {
      const plan = plans.shift();
      if (!plan) return;
      const { tier, version } = plan;
      const payload = { userId, name: 'Ada', tier, emailChanged: false, version };
      const id = uuidV7(plan.atMs);
      const headers = { ce_time: new Date(plan.atMs).toISOString() };
      const delivery = { id, topic: userChanged.name, key: userId, payload, headers };
      await on.toCases.dispatch(delivery);
      await on.toCases.dispatch(delivery);
    }
  };
  for (const receiptNumber of RECEIPTS) {
    expect((await send('POST', '', { receiptNumber })).status).toBe(201);
  }

  for (const one of steps) {
    await on.clock.advance(1_000);
    sequence += 1;
    if (one.act === 'end' || one.act === 'return') {
      tier = one.act === 'end' ? 'free' : 'pro';
      const atMs = on.clock.nowMs() + late.skewSeconds * 1_000;
      plans.push({ tier, version: sequence, atMs, dueAt: sequence + late.plan });
    }
    tiers.push(tier);
    if (one.act === 'choose') {
      const answer = await send('PATCH', `/${one.receipt}`, { monitoringFrequency: one.frequency });
      if (answer.status === 200) {
        replaced = { receipt: one.receipt, frequency: chosen.get(one.receipt) ?? 'none' };
        chosen.set(one.receipt, one.frequency);
      } else expect([403, 404]).toContain(answer.status);
    } else if (one.act === 'undo') {
      if (replaced === undefined) continue;
      const { receipt: receiptNumber, frequency: monitoringFrequency } = replaced;
      const change = { receiptNumbers: [receiptNumber], monitoringFrequency, evenIfPaused: true };
      const answer = await send('POST', '/bulk', { action: 'setFrequency', ...change });
      // Refused only while the user has never had another plan.
      if (answer.status === 200 && saved.has(receiptNumber)) chosen.set(receiptNumber, monitoringFrequency);
      else if (answer.status !== 200) expect(answer.status).toBe(403);
      replaced = undefined;
    } else if (one.act === 'remove' || one.act === 'restore') {
      const action = { action: one.act, receiptNumbers: [one.receipt] };
      const answer = await send('POST', '/bulk', action);
      const { results } = (await answer.json()) as { results: { outcome: string }[] };
      if (results[0]?.outcome !== 'changed') continue;
      if (one.act === 'remove') saved.delete(one.receipt);
      else saved.add(one.receipt);
    }
    await learn(sequence);
    await on.relay();
  }
  await learn(Number.MAX_SAFE_INTEGER);
  await on.relay();

  const expected = [...saved].flatMap((receiptNumber) => {
    const frequency = chosen.get(receiptNumber) ?? 'none';
    return tier === 'pro' && frequency !== 'none' ? [[receiptNumber, frequency]] : [];
  });
  const list = (await (await send('GET', '')).json()) as {
    receiptNumber: string;
    monitoringFrequency: string;
    monitoringPausedAt: string | null;
  }[];
  return {
    running: await on.running(userId),
    expected: Object.fromEntries(expected) as Record<string, string>,
    shown: list.map((one) => [one.receiptNumber, one.monitoringFrequency, one.monitoringPausedAt !== null]),
    expectedToShow: list.map(({ receiptNumber }) => {
      const frequency = chosen.get(receiptNumber) ?? 'none';
      return [receiptNumber, frequency, tier === 'free' && frequency !== 'none'];
    }),
  };
}

test.each([
  ['at once', 0, 0],
  ['late', 3, 5],
])(
  'after any sequence of end, return, choice, removal, restore and undo, of which others learn %s, what runs is what the user last chose while allowed',
  {
    timeout: 60_000,
  },
  async (_learned, latestPlan, latestToken) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 20 }),
        fc.record({
          plan: fc.nat({ max: latestPlan }),
          token: fc.nat({ max: latestToken }),
          skewSeconds: fc.integer({ min: -30, max: 30 }),
        }),
        async (steps, late) => {
          const { running, expected, shown, expectedToShow } = await afterSteps(parts, steps, late);
          expect(running).toEqual(expected);
          expect(shown).toEqual(expectedToShow);
        },
      ),
      { numRuns: Number(process.env.ORDER_SAMPLES ?? 40) },
    );
  },
);

const CHOOSE: Step = { act: 'choose', receipt: 'EAC9999103403', frequency: 'daily' };
const WITHOUT_RESUMING: Mutation = {
  file: 'services/cases/src/data/user-rows.ts',
  find: 'SET monitoring_paused_at = NULL WHERE id IN (SELECT id FROM own)',
  replace: 'SET monitoring_paused_at = NULL WHERE false',
};
const WITHOUT_THE_LAST_PLAN: Mutation = {
  file: 'services/cases/src/domain/monitoring-pause.ts',
  find: '((await own.planTier()) ?? tier)',
  replace: 'tier',
};

test.each<[string, Mutation, Step[], object, object]>([
  [
    'what was paused is not resumed',
    WITHOUT_RESUMING,
    [CHOOSE, { act: 'end' }, { act: 'return' }],
    {},
    { EAC9999103403: 'daily' },
  ],
  [
    'a choice after the end of the plan runs by the older token',
    WITHOUT_THE_LAST_PLAN,
    [{ act: 'end' }, CHOOSE],
    { EAC9999103403: 'daily' },
    {},
  ],
])('R14, shown able to fail: %s', { timeout: 60_000 }, async (_how, mutation, steps, running, expected) => {
  mutateImports([mutation]);
  const mutated = await start();
  try {
    const late = { plan: 0, token: 5, skewSeconds: 0 };
    const outcome = await afterSteps(mutated, steps, late);
    expect([outcome.running, outcome.expected]).toEqual([running, expected]);
  } finally {
    await mutated.stop();
  }
});
