import { caseObserved } from '@casewatch/contracts/events';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const NUMBER = 'SRC2190000302';
const RECEIVED = 'Case Was Received';
const APPROVED = 'Case Was Approved';
const SLOW_MACHINE_MS = 15_000;

/** The next call waits on its way to the agency until it is released. */
let held: { arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined;
/** Its calls are held up on their way to the agency. */
let slow: CasesFixture;
let prompt: CasesFixture;

const epoch = async () => Number((await slow.caller())?.epoch ?? 0);
/** Ends the session of the process that calls the agency, as the server does with that of a process that hangs. */
const endCaller = () =>
  slow.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND application_name = 'casewatch-agency-caller' AND datname = current_database()`,
  );
const nextCaller = async (before: number) =>
  vi.waitFor(async () => expect(await epoch()).toBeGreaterThan(before), SLOW_MACHINE_MS);

beforeAll(async () => {
  slow = await startCases({
    env: { BUDGET_WAIT_MS: '20000', AGENCY_TIMEOUT_MS: '60000' },
    holdUp: async () => {
      held?.arrived.resolve();
      await held?.released.promise;
    },
  });
  await nextCaller(0);
  const { database, clock, agencyUrl } = slow;
  prompt = await startCases({ database, clock, agencyUrl, env: { BUDGET_WAIT_MS: '20000' } });
});
afterAll(async () => {
  // The database is that of the other one.
  await prompt.stop();
  await slow.stop();
});
beforeEach(async () => {
  held = undefined;
  await slow.control('DELETE', '');
  await slow.clock.advance(86_400_000);
  await slow.move(NUMBER, RECEIVED);
  await slow.save(NUMBER, PAT);
  await slow.found(NUMBER);
  await slow.clock.advance(86_400_000);
  await slow.forgetPublished();
});

/** Sends a call that the agency answers when the result is called. */
async function ask() {
  const now = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
  held = now;
  const answer = slow.lookUp(NUMBER);
  await now.arrived.promise;
  return () => {
    now.released.resolve();
    return answer;
  };
}

test('an observation has the time of its call, and its event says how long the answer took', async () => {
  const sentAt = new Date(slow.clock.nowMs()).toISOString();
  const slowAnswer = await ask();
  await slow.clock.advance(2_000);
  const answer = await slowAnswer();
  expect(await answer.json()).toMatchObject({ observedAt: sentAt });
  const [event] = await slow.eventsOf(caseObserved);
  expect(Date.parse(event?.observedAt ?? '')).toBe(Date.parse(sentAt));
  expect(event?.answerMs).toBe(2_000);
});

test.each<[string, () => Promise<unknown>]>([
  ['the status before', () => slow.move(NUMBER, RECEIVED)],
  ['not recognized', () => slow.fault({ mode: 'not-found', receiptNumber: NUMBER, count: 1 })],
])(
  'the answer to a caller before, stored after one to the next caller, changes nothing: %s',
  async (_, before) => {
    const stale = await epoch();
    const slowAnswer = await ask();
    await slow.move(NUMBER, APPROVED);
    await endCaller();
    await nextCaller(stale);
    // The lookup of the process whose call hangs has the answer to the call of the other.
    const { observedAt } = await prompt.found(NUMBER);
    await slow.clock.advance(10_000);
    await before();
    const answer = await slowAnswer();
    expect([answer.status, await answer.json()]).toMatchObject([200, { caseStatus: APPROVED, observedAt }]);
    // The caller before stands by again when its answer is stored.
    await expect.poll(() => slow.calls(NUMBER)).toMatchObject({ total: 2 + 1 });
    await vi.waitFor(async () => expect(await slow.eventsOf(caseObserved)).toHaveLength(2), SLOW_MACHINE_MS);
    const [newer, older] = await slow.eventsOf(caseObserved);
    expect(newer).toMatchObject({ outcome: 'observed', status: APPROVED });
    expect(BigInt(older?.callNumber ?? 0)).toBeLessThan(BigInt(newer?.callNumber ?? 0));
    for (const process of [slow, prompt]) {
      expect(await process.found(NUMBER)).toMatchObject({ caseStatus: APPROVED, observedAt });
    }
    expect(await prompt.saved(PAT)).toMatchObject([{ lastKnownStatus: APPROVED, lastCheckedAt: observedAt }]);
    expect((await prompt.found(NUMBER)).histCaseData[0]).toMatchObject({ caseStatus: APPROVED });
    // It is the turn of the slow process again.
    held = undefined;
    const then = await epoch();
    await endCaller();
    await nextCaller(then);
  },
  60_000,
);
