import { caseWatchChanged, userChanged } from '@casewatch/contracts/events';
import type { Tier } from '@casewatch/contracts/limits';
import type { Person } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BOB, type CasesFixture, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, ONE, THREE, TWO } from './workspace-fixture.ts';

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
});
afterAll(() => cases.stop());
beforeEach(() => emptyLists(cases));

const setPlan = (tier: Tier, atMs = cases.clock.nowMs()) =>
  cases.deliver(userChanged, { userId: PAT.userId, name: 'Pat', tier }, atMs);
const pauses = async (as: Person) =>
  Object.fromEntries(
    (await cases.saved(as)).map((one) => [
      one.receiptNumber,
      [one.monitoringFrequency, one.monitoringPausedAt === null ? 'runs' : 'paused'],
    ]),
  );
const FREE_PAT: Person = { ...PAT, tier: 'free' };

test('with each watch goes the status that the list shows: also when it is restored, or when the plan returns', async () => {
  await cases.lookUp(ONE);
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const [saved] = await cases.saved(PAT);
  const known = { status: saved?.lastKnownStatus, observedAt: saved?.lastCheckedAt };
  expect(known.status).toBe('Case Was Approved');
  const shown = {
    ...known,
    observedAt: expect.toSatisfy((at) => Date.parse(at) === Date.parse(known.observedAt ?? '')),
  };
  await cases.remove(ONE, PAT);
  await cases.call('POST', '/api/saved-cases/bulk', {
    as: PAT,
    body: { action: 'restore', receiptNumbers: [ONE] },
  });
  await setPlan('pro');
  await setPlan('free');
  await setPlan('pro');
  const watch = { receiptNumber: ONE, userId: PAT.userId };
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([
    { ...watch, frequency: 'daily', known: shown },
    { ...watch, frequency: 'none' },
    { ...watch, frequency: 'daily', known: shown },
    { ...watch, frequency: 'none' },
    { ...watch, frequency: 'daily', known: shown },
  ]);
});

test('a plan that ends pauses the monitoring and keeps cases and frequencies; one that returns resumes it', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.save(TWO, PAT);
  await setPlan('pro');
  await cases.forgetPublished();
  await setPlan('free');
  await setPlan('free');
  expect(await pauses(FREE_PAT)).toEqual({ [ONE]: ['daily', 'paused'], [TWO]: ['none', 'runs'] });
  await cases.change(ONE, { nickname: 'Mum' }, FREE_PAT);
  expect(await pauses(FREE_PAT)).toMatchObject({ [ONE]: ['daily', 'paused'] });
  await setPlan('pro');
  expect(await pauses(PAT)).toEqual({ [ONE]: ['daily', 'runs'], [TWO]: ['none', 'runs'] });
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([
    { receiptNumber: ONE, userId: PAT.userId, frequency: 'none' },
    { receiptNumber: ONE, userId: PAT.userId, frequency: 'daily' },
  ]);
});

test('what the user turns off while it is paused stays off', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await setPlan('free');
  expect((await cases.change(ONE, { monitoringFrequency: 'weekly' }, FREE_PAT)).status).toBe(403);
  expect((await cases.change(ONE, { monitoringFrequency: 'none' }, FREE_PAT)).status).toBe(200);
  await cases.forgetPublished();
  await setPlan('pro');
  expect(await pauses(PAT)).toEqual({ [ONE]: ['none', 'runs'] });
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([]);
});

test('undoing that brings back the paused frequency, which runs when the plan returns', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await setPlan('free');
  await cases.change(ONE, { monitoringFrequency: 'none' }, FREE_PAT);
  await cases.forgetPublished();
  const undo = { action: 'setFrequency', receiptNumbers: [ONE], monitoringFrequency: 'daily' };
  const send = (body: unknown) => cases.call('POST', '/api/saved-cases/bulk', { as: FREE_PAT, body });
  expect((await send(undo)).status).toBe(403);
  expect((await send({ ...undo, evenIfPaused: true })).status).toBe(200);
  expect(await pauses(FREE_PAT)).toEqual({ [ONE]: ['daily', 'paused'] });
  await setPlan('pro');
  expect(await pauses(PAT)).toEqual({ [ONE]: ['daily', 'runs'] });
  // A choice is published with its time also while it is paused; the return of the plan changes what is watched.
  const published = (await cases.eventsOf(caseWatchChanged)).map(({ frequency }) => frequency);
  expect(published).toEqual(['none', 'daily']);
});

test('a case in the archive is not checked when the plan returns, and a pause is as old as the end of the plan', async () => {
  for (const number of [TWO, ONE, THREE]) await cases.save(number, PAT, { monitoringFrequency: 'daily' });
  await cases.save(ONE, BOB);
  await cases.change(TWO, { archived: true }, PAT);
  await cases.forgetPublished();
  const endedAtMs = cases.clock.nowMs() - 1_000;
  await setPlan('free', endedAtMs);
  const [paused] = await cases.saved(FREE_PAT);
  expect(paused?.monitoringPausedAt).toBe(new Date(endedAtMs).toISOString());
  await setPlan('pro');
  const published = (await cases.eventsOf(caseWatchChanged)).map(({ receiptNumber, frequency }) => [
    receiptNumber,
    frequency,
  ]);
  expect(published).toEqual([
    [ONE, 'none'],
    [TWO, 'none'],
    [THREE, 'none'],
    [ONE, 'daily'],
    [TWO, 'none'],
    [THREE, 'daily'],
  ]);
  expect(await pauses(PAT)).toEqual({
    [ONE]: ['daily', 'runs'],
    [TWO]: ['daily', 'runs'],
    [THREE]: ['daily', 'runs'],
  });
});

test('a plan is that of its user alone', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const other: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Cam' };
  await cases.save(ONE, other, { monitoringFrequency: 'daily' });
  await setPlan('free');
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, other);
  expect(await pauses(FREE_PAT)).toEqual({ [ONE]: ['daily', 'paused'] });
  expect(await pauses(other)).toEqual({ [ONE]: ['weekly', 'runs'] });
});

test('a plan that was published before the one known is ignored', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const now = cases.clock.nowMs();
  await setPlan('pro', now);
  await setPlan('free', now - 1);
  expect(await pauses(PAT)).toEqual({ [ONE]: ['daily', 'runs'] });
});

test('what is chosen before the return of the plan is known runs from then on, however the clocks differ', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const endedAtMs = cases.clock.nowMs() + 60_000;
  await setPlan('free', endedAtMs);
  await cases.forgetPublished();
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  await cases.save(TWO, PAT, { monitoringFrequency: 'monthly' });
  expect(await pauses(PAT)).toEqual({ [ONE]: ['weekly', 'paused'], [TWO]: ['monthly', 'paused'] });
  await setPlan('pro', endedAtMs + 1);
  expect(await pauses(PAT)).toEqual({ [ONE]: ['weekly', 'runs'], [TWO]: ['monthly', 'runs'] });
  expect((await cases.eventsOf(caseWatchChanged)).filter(({ frequency }) => frequency !== 'none')).toEqual([
    { receiptNumber: ONE, userId: PAT.userId, frequency: 'weekly' },
    { receiptNumber: TWO, userId: PAT.userId, frequency: 'monthly' },
  ]);
});
