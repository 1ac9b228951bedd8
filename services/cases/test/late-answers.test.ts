import { caseObserved } from '@casewatch/contracts/events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const NUMBER = 'SRC2190000302';
const RECEIVED = 'Case Was Received';
const APPROVED = 'Case Was Approved';

/** The next call of the slow process waits on its way to the agency until it is released. */
let held: { arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined;
let slow: CasesFixture;
/** A second process; neither knows of the other's calls, as while Redis is unavailable. */
let prompt: CasesFixture;

beforeAll(async () => {
  slow = await startCases({
    holdUp: async () => {
      held?.arrived.resolve();
      await held?.released.promise;
    },
  });
  const { database, clock, agencyUrl } = slow;
  prompt = await startCases({ database, clock, agencyUrl });
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
  await prompt.save(NUMBER, PAT);
  await prompt.found(NUMBER);
  await slow.clock.advance(86_400_000);
  await slow.forgetPublished();
});

/** Sends a call that the agency answers when the result is awaited. */
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

test.each<[string, () => Promise<unknown>]>([
  ['the status before', () => slow.move(NUMBER, RECEIVED)],
  ['not recognized', () => slow.fault({ mode: 'not-found', receiptNumber: NUMBER, count: 1 })],
])('a slow answer does not replace that to a later call: %s', async (_, before) => {
  const slowAnswer = await ask();
  await slow.clock.advance(10_000);
  await slow.move(NUMBER, APPROVED);
  const { observedAt } = await prompt.found(NUMBER);
  await slow.clock.advance(10_000);
  await before();
  const answer = await slowAnswer();
  expect([answer.status, await answer.json()]).toMatchObject([200, { caseStatus: APPROVED, observedAt }]);
  expect(await prompt.saved(PAT)).toMatchObject([{ lastKnownStatus: APPROVED, lastCheckedAt: observedAt }]);
  expect((await slow.eventsOf(caseObserved)).map(({ status }) => status)).toEqual([APPROVED]);
});

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

test('of two calls sent in the same millisecond the one that is stored later counts', async () => {
  const slowAnswer = await ask();
  await slow.move(NUMBER, APPROVED);
  await prompt.found(NUMBER);
  await slow.move(NUMBER, RECEIVED);
  expect(await (await slowAnswer()).json()).toMatchObject({ caseStatus: RECEIVED });
  expect((await slow.eventsOf(caseObserved)).map(({ status }) => status)).toEqual([APPROVED, RECEIVED]);
});
