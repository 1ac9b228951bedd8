import { type DueChecks, dueChecks } from '@casewatch/contracts/monitoring';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const PATH = '/api/admin/due-checks';
const SESSION = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const send = () => monitoring.call('POST', PATH, { adminSession: SESSION, administratorId: user(9) });

async function run(): Promise<DueChecks> {
  const answer = await send();
  expect(answer.status).toBe(200);
  return dueChecks.parse(await answer.json());
}

test('an administrator runs what is due: each check once, with what came of it, and the next ones are scheduled as ever', async () => {
  for (const nth of [1, 2, 3]) await monitoring.requestWatch(user(1), receipt(nth), 'daily');
  const watchers = await monitoring.watchers();
  monitoring.cases.answer(receipt(2), { outcome: 'not-recognized', code: 'RECEIPT_NOT_RECOGNIZED' });
  const letGo = monitoring.cases.hold();
  const passes = Promise.all([run(), run()]);
  await expect.poll(() => monitoring.cases.calls.length).toBe(1);
  letGo();
  const [one, other] = (await passes).toSorted((a, b) => b.started - a.started);
  expect(one).toMatchObject({ started: 3, outcomes: { observed: 2, 'not-recognized': 1 } });
  expect(other).toMatchObject({ started: 0, outcomes: {} });
  expect(monitoring.cases.asked().toSorted()).toEqual([1, 2, 3].map(receipt));
  expect(await monitoring.watchers()).toEqual(watchers);
  const nextDueAt = (await monitoring.watches())
    .map(({ next_check_at }) => next_check_at.toISOString())
    .sort()[0];
  expect(await run()).toMatchObject({ started: 0, nextDueAt });
  expect(Date.parse(nextDueAt ?? '')).toBeGreaterThan(monitoring.clock.nowMs());
});

test('without a call left the checks stay due, and so they do while cases is unavailable', async () => {
  await monitoring.requestWatch(user(1), receipt(1), 'daily');
  const due = (await monitoring.watch(receipt(1)))?.next_check_at;
  monitoring.cases.answerAll({ outcome: 'no-budget', code: 'BUDGET_SPENT', retryAfterSeconds: 60 });
  expect(await run()).toMatchObject({ started: 1, outcomes: { 'no-budget': 1 } });
  monitoring.cases.setBroken(true);
  expect(await run()).toMatchObject({ started: 1, outcomes: { unasked: 1 }, nextDueAt: due?.toISOString() });
  expect((await monitoring.watch(receipt(1)))?.next_check_at).toEqual(due);
});

test('a check that has failed is tried again: it is no reason to say that none is scheduled', async () => {
  await monitoring.requestWatch(user(1), receipt(1), 'daily');
  monitoring.cases.answerAll({ outcome: 'failed', code: 'AGENCY_UNAVAILABLE' });
  const { outcomes, nextDueAt } = await run();
  expect(outcomes).toEqual({ failed: 1 });
  expect(nextDueAt).toBe((await monitoring.watch(receipt(1)))?.next_check_at.toISOString());
});

test('it is in the audit trail, for owners, and 6 times a minute', async () => {
  expect((await monitoring.call('POST', PATH)).status).toBe(401);
  expect((await monitoring.call('POST', PATH, { as: { userId: user(1), tier: 'pro' } })).status).toBe(401);
  for (const adminRole of ['auditor', 'survey-editor'] as const) {
    expect((await monitoring.call('POST', PATH, { adminSession: SESSION, adminRole })).status).toBe(403);
  }
  expect(await run()).toMatchObject({ started: 0, nextDueAt: null });
  const entries = await monitoring.database.query(
    `SELECT payload->>'action' AS action, payload->>'actorId' AS by, payload->'details' AS details
     FROM monitoring.outbox WHERE topic = 'admin-acted'`,
  );
  expect(entries).toEqual([{ action: 'checks.started', by: user(9), details: { started: '0' } }]);
  for (let nth = 2; nth <= 6; nth += 1) await run();
  expect((await send()).status).toBe(429);
});
