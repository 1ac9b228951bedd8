import { caseWatchChanged, userChanged } from '@casewatch/contracts/events';
import type { Tier } from '@casewatch/contracts/limits';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { beforeEach, expect, test } from 'vitest';
import { BOB, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, ONE, THREE, TWO } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

let versions = 0;
const setPlan = (tier: Tier, version = ++versions, atMs = cases.clock.nowMs()) =>
  cases.deliver(userChanged, { userId: PAT.userId, name: 'Pat', tier, emailChanged: false, version }, atMs);
const pauses = async (as: Person) =>
  Object.fromEntries(
    (await cases.saved(as)).map((one) => [
      one.receiptNumber,
      [one.monitoringFrequency, one.monitoringPausedAt === null ? 'runs' : 'paused'],
    ]),
  );
const FREE_PAT: Person = { ...PAT, tier: 'free' };

/** What was requested: how often, with which beginning, and what the list showed then and now. */
const requests = async () =>
  (await cases.eventsOf(caseWatchChanged)).map(({ frequency, version, beginning, shown }) => ({
    frequency,
    version: BigInt(version),
    began: beginning && BigInt(beginning.version),
    beganWith: beginning?.shown?.status,
    shows: shown?.status,
  }));

test('a pause and a change of frequency continue a watch: what changes during it is compared with its beginning', async () => {
  await cases.move(ONE, 'Case Was Received');
  await cases.lookUp(ONE);
  await setPlan('pro');
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  await setPlan('free');
  await cases.clock.advance(3_600_000);
  await cases.move(ONE, 'Case Was Approved');
  await cases.lookUp(ONE);
  await setPlan('pro');
  const [first, second, end, back] = await requests();
  const began = { began: first?.version, beganWith: 'Case Was Received' };
  expect(first).toMatchObject({ frequency: 'daily', ...began, shows: 'Case Was Received' });
  expect(second).toMatchObject({ frequency: 'weekly', ...began });
  expect(end).toMatchObject({ frequency: 'none', began: undefined });
  expect(back).toMatchObject({ frequency: 'weekly', ...began, shows: 'Case Was Approved' });
});

test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    'turned off and on',
    () => cases.change(ONE, { monitoringFrequency: 'none' }, PAT),
    () => cases.change(ONE, { monitoringFrequency: 'daily' }, PAT),
  ],
  [
    'archived and taken out of the archive',
    () => cases.change(ONE, { archived: true }, PAT),
    () => cases.change(ONE, { archived: false }, PAT),
  ],
  [
    'removed and restored',
    () => cases.remove(ONE, PAT),
    () =>
      cases.call('POST', '/api/saved-cases/bulk', {
        as: PAT,
        body: { action: 'restore', receiptNumbers: [ONE] },
      }),
  ],
  [
    'removed, purged and saved again',
    async () => {
      await cases.remove(ONE, PAT);
      await cases.database.query('DELETE FROM cases.removed_cases');
    },
    () => cases.save(ONE, PAT, { monitoringFrequency: 'daily' }),
  ],
])('a watch that is %s begins anew with what the list shows then, above all before', async (_, off, on) => {
  await cases.move(ONE, 'Case Was Received');
  await cases.lookUp(ONE);
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await off();
  await cases.clock.advance(3_600_000);
  await cases.move(ONE, 'Case Was Approved');
  await cases.lookUp(ONE);
  await on();
  const all = await requests();
  expect(all.map(({ frequency, beganWith }) => [frequency, beganWith])).toEqual([
    ['daily', 'Case Was Received'],
    ['none', undefined],
    ['daily', 'Case Was Approved'],
  ]);
  const versions = all.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(versions).size).toBe(3);
  expect(all[2]?.began).toBe(all[2]?.version);
});

test('what is chosen during a pause begins with what the list shows at the choice', async () => {
  await cases.move(ONE, 'Case Was Received');
  await cases.lookUp(ONE);
  await setPlan('free');
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.clock.advance(3_600_000);
  await cases.move(ONE, 'Case Was Approved');
  await cases.lookUp(ONE);
  await setPlan('pro');
  expect((await requests()).at(-1)).toMatchObject({
    frequency: 'daily',
    beganWith: 'Case Was Received',
    shows: 'Case Was Approved',
  });
});

test.each<[string, () => Promise<Response>]>([
  ['alone', () => cases.change(ONE, { archived: false }, FREE_PAT)],
  [
    'among others',
    () =>
      cases.call('POST', '/api/saved-cases/bulk', {
        as: FREE_PAT,
        body: { action: 'unarchive', receiptNumbers: [ONE] },
      }),
  ],
])(
  'a case that leaves the archive during a pause, %s, begins with what the list shows then',
  async (_, leave) => {
    await cases.move(ONE, 'Case Was Received');
    await cases.lookUp(ONE);
    await setPlan('pro');
    await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
    await cases.change(ONE, { archived: true }, PAT);
    await setPlan('free');
    expect((await leave()).status).toBe(200);
    await cases.clock.advance(3_600_000);
    await cases.move(ONE, 'Case Was Approved');
    await cases.lookUp(ONE);
    await setPlan('pro');
    expect((await requests()).at(-1)).toMatchObject({
      frequency: 'daily',
      beganWith: 'Case Was Received',
      shows: 'Case Was Approved',
    });
  },
);

test('an archive that is entered and left during a pause changes nothing of the beginning', async () => {
  await cases.move(ONE, 'Case Was Received');
  await cases.lookUp(ONE);
  await setPlan('pro');
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await setPlan('free');
  await cases.clock.advance(3_600_000);
  await cases.move(ONE, 'Case Was Approved');
  await cases.lookUp(ONE);
  for (const archived of [true, false]) await cases.change(ONE, { archived }, FREE_PAT);
  await setPlan('pro');
  expect((await requests()).at(-1)).toMatchObject({ frequency: 'daily', beganWith: 'Case Was Received' });
});

test('an answer is as old as the database says; one from its future is of unknown age', async () => {
  await cases.lookUp(ONE);
  const age = async (answeredAt: string) => {
    await cases.database.query(
      `UPDATE cases.case_snapshots SET answered_at = clock_timestamp() + $1::interval`,
      [answeredAt],
    );
    await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
    await cases.remove(ONE, PAT);
    return (await cases.eventsOf(caseWatchChanged)).at(-2)?.shown?.ageSeconds;
  };
  expect(await age('-2 hours')).toBe(7_200);
  expect(await age('6 hours')).toBeUndefined();
});

test('a watch that begins after the agency has not recognized its case shows the last status, of unknown age', async () => {
  await cases.lookUp(ONE);
  await cases.clock.advance(3_600_000);
  await cases.fault({ mode: 'not-found', receiptNumber: ONE, count: 1 });
  expect((await cases.lookUp(ONE)).status).toBe(404);
  await cases.database.query(
    `UPDATE cases.case_snapshots SET answered_at = clock_timestamp() - interval '2 hours'`,
  );
  await cases.save(ONE, PAT, { monitoringFrequency: 'monthly' });
  const [begun] = await cases.eventsOf(caseWatchChanged);
  expect(begun?.shown).toMatchObject({ status: 'Case Was Approved' });
  expect(begun?.shown?.ageSeconds).toBeUndefined();
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
  expect(await cases.eventsOf(caseWatchChanged)).toMatchObject([
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
  await setPlan('free', undefined, endedAtMs);
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

test('a plan of an earlier change than the one known is ignored, whatever the clocks say', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const now = cases.clock.nowMs();
  await setPlan('pro', ++versions, now);
  await setPlan('free', versions - 1, now + 86_400_000);
  expect(await pauses(PAT)).toEqual({ [ONE]: ['daily', 'runs'] });
});

test('what is chosen before the return of the plan is known runs from then on, however the clocks differ', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  const endedAtMs = cases.clock.nowMs() + 60_000;
  await setPlan('free', undefined, endedAtMs);
  await cases.forgetPublished();
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  await cases.save(TWO, PAT, { monitoringFrequency: 'monthly' });
  expect(await pauses(PAT)).toEqual({ [ONE]: ['weekly', 'paused'], [TWO]: ['monthly', 'paused'] });
  await setPlan('pro');
  expect(await pauses(PAT)).toEqual({ [ONE]: ['weekly', 'runs'], [TWO]: ['monthly', 'runs'] });
  expect(
    (await cases.eventsOf(caseWatchChanged)).filter(({ frequency }) => frequency !== 'none'),
  ).toMatchObject([
    { receiptNumber: ONE, userId: PAT.userId, frequency: 'weekly' },
    { receiptNumber: TWO, userId: PAT.userId, frequency: 'monthly' },
  ]);
});
