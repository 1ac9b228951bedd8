import { userChanged, userDeleted } from '@casewatch/contracts/events';
import { REMOVED_CASES_DAYS } from '@casewatch/contracts/limits';
import { importSavedCases } from '@casewatch/contracts/workspace';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { beforeEach, expect, test } from 'vitest';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';
import { DAY_MS, emptyLists, FOUR, ONE, outcomes, THREE, TWO, workspaceCalls } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

const { ask, bulk, removed, importCases, watches } = workspaceCalls(() => cases);

test('a removed case is restored with nickname, tags and monitoring, in its place', async () => {
  await cases.save(ONE, PAT, { nickname: 'Mom', tags: ['family'], monitoringFrequency: 'weekly' });
  const { caseStatus } = await cases.found(ONE);
  const [before] = await cases.saved(PAT);
  await cases.clock.advance(1_000);
  await cases.save(TWO, PAT);
  await cases.remove(ONE, PAT);
  const removedAt = cases.clock.nowMs();
  expect(await removed()).toEqual([
    {
      receiptNumber: ONE,
      nickname: 'Mom',
      tags: ['family'],
      monitoringFrequency: 'weekly',
      lastKnownStatus: caseStatus,
      removedAt: new Date(removedAt).toISOString(),
      restorableUntil: new Date(removedAt + REMOVED_CASES_DAYS * DAY_MS).toISOString(),
    },
  ]);
  await cases.move(ONE, 'Case Was Approved');
  await cases.clock.advance(61_000);
  await cases.found(ONE, BOB);
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: [ONE] }))).toEqual(['changed']);
  const [two, one] = await cases.saved(PAT);
  expect(two?.receiptNumber).toBe(TWO);
  expect(one).toMatchObject({
    ...before,
    id: expect.any(String),
    lastKnownStatus: 'Case Was Approved',
    lastCheckedAt: expect.any(String),
    statusChangedAt: expect.any(String),
    statusDate: expect.any(String),
  });
  expect(await removed()).toEqual([]);
  expect(await watches()).toEqual([
    [ONE, 'weekly'],
    [ONE, 'none'],
    [ONE, 'weekly'],
  ]);
});

test('a snoozed case that is removed and restored stays snoozed', async () => {
  await cases.save(ONE, PAT);
  const snoozedUntil = new Date(cases.clock.nowMs() + 30 * DAY_MS).toISOString();
  await cases.change(ONE, { snoozedUntil }, PAT);
  for (let nth = 0; nth < 2; nth += 1) {
    await bulk({ action: 'remove', receiptNumbers: [ONE] });
    await bulk({ action: 'restore', receiptNumbers: [ONE] });
    expect(await cases.saved(PAT)).toMatchObject([{ snoozedUntil }]);
  }
  await bulk({ action: 'snooze', receiptNumbers: [ONE], snoozedUntil: null });
  await bulk({ action: 'remove', receiptNumbers: [ONE] });
  await bulk({ action: 'restore', receiptNumbers: [ONE] });
  expect(await cases.saved(PAT)).toMatchObject([{ snoozedUntil: null }]);
});

test('an archived case is restored into the archive, as it was removed last', async () => {
  await cases.save(ONE, PAT, { nickname: 'Mom', tags: ['family'], monitoringFrequency: 'weekly' });
  await cases.change(ONE, { archived: true }, PAT);
  const [before] = await cases.saved(PAT);
  await cases.remove(ONE, PAT);
  await cases.forgetPublished();
  await bulk({ action: 'restore', receiptNumbers: [ONE] });
  expect(await cases.saved(PAT)).toEqual([{ ...before, id: expect.any(String) }]);
  expect(await watches()).toEqual([]);
});

test('removed cases are listed latest first, 500 at most', async () => {
  await importCases([ONE, TWO, THREE].map((receiptNumber) => ({ receiptNumber })));
  await bulk({ action: 'remove', receiptNumbers: [THREE, ONE] });
  await cases.clock.advance(1);
  await bulk({ action: 'remove', receiptNumbers: [TWO] });
  expect((await removed()).map(({ receiptNumber }) => receiptNumber)).toEqual([TWO, ONE, THREE]);
  await cases.database.query(
    `INSERT INTO cases.removed_cases (user_id, receipt_number, tags, monitoring_frequency, created_at, removed_at)
     SELECT $1, 'SRC' || (2190000000 + n), '{}', 'none', $2, $2 FROM generate_series(1, 500) AS n`,
    [PAT.userId, new Date(cases.clock.nowMs())],
  );
  expect(await removed()).toHaveLength(500);
});

test('a user whose plan has ended with more cases than are free neither restores, saves nor imports another', async () => {
  const numbers = [ONE, TWO, THREE, FOUR, 'EAC9999103406'];
  const removed = ['EAC9999103411', 'EAC9999103416', 'EAC9999103420'];
  const free: Person = { ...PAT, tier: 'free' };
  await importCases([...numbers, ...removed].map((receiptNumber) => ({ receiptNumber })));
  await bulk({ action: 'remove', receiptNumbers: removed });
  const limit = Array(3).fill('SAVED_CASE_LIMIT');
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: removed }, free))).toEqual(limit);
  const imported = await importCases(
    removed.map((receiptNumber) => ({ receiptNumber })),
    free,
  );
  expect(outcomes(importSavedCases.answer.parse(await imported.json()).results)).toEqual(limit);
  expect(await cases.saved(free)).toHaveLength(5);
});

test('two tabs that undo at once restore once', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.remove(ONE, PAT);
  await cases.forgetPublished();
  const all = await Promise.all(
    Array.from({ length: 4 }, () => bulk({ action: 'restore', receiptNumbers: [ONE] })),
  );
  expect(all.flatMap(outcomes).sort()).toEqual(['changed', 'unchanged', 'unchanged', 'unchanged']);
  expect(await watches()).toEqual([[ONE, 'daily']]);
  expect(await cases.saved(PAT)).toHaveLength(1);
});

test('an undo after another tab used up the free limit is refused, and nothing is lost', async () => {
  for (const number of [ONE, TWO, THREE]) await cases.save(number, ADA, { nickname: number });
  await cases.remove(ONE, ADA);
  await cases.save(FOUR, ADA);
  expect(await bulk({ action: 'restore', receiptNumbers: [ONE] }, ADA)).toEqual([
    {
      receiptNumber: ONE,
      outcome: 'refused',
      code: 'SAVED_CASE_LIMIT',
      error:
        'Saving more than 3 cases is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
    },
  ]);
  expect(await removed(ADA)).toMatchObject([{ receiptNumber: ONE, nickname: ONE }]);
  await cases.remove(FOUR, ADA);
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: [ONE, FOUR] }, ADA))).toEqual([
    'changed',
    'SAVED_CASE_LIMIT',
  ]);
});

test('the free limit holds for restores and saves at the same time', async () => {
  for (const number of [ONE, TWO, THREE]) await cases.save(number, ADA);
  await bulk({ action: 'remove', receiptNumbers: [ONE, TWO] }, ADA);
  await Promise.all([
    bulk({ action: 'restore', receiptNumbers: [ONE] }, ADA),
    cases.save('LIN9999106498', ADA),
    bulk({ action: 'restore', receiptNumbers: [TWO] }, ADA),
    cases.save('LIN9999106499', ADA),
  ]);
  expect(await cases.saved(ADA)).toHaveLength(3);
});

test('after the end of the plan monitoring is restored paused, and runs when the plan returns', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.remove(ONE, PAT);
  await cases.deliver(userChanged, {
    userId: PAT.userId,
    name: 'Pat',
    tier: 'free',
    emailChanged: false,
    version: 1,
  });
  await cases.forgetPublished();
  await bulk({ action: 'restore', receiptNumbers: [ONE] }, { ...PAT, tier: 'free' });
  const [paused] = await cases.saved(PAT);
  expect(paused?.monitoringFrequency).toBe('daily');
  expect(paused?.monitoringPausedAt).not.toBeNull();
  expect(await watches()).toEqual([[ONE, 'none']]);
  await cases.deliver(userChanged, {
    userId: PAT.userId,
    name: 'Pat',
    tier: 'pro',
    emailChanged: false,
    version: 2,
  });
  expect((await cases.saved(PAT))[0]?.monitoringPausedAt).toBeNull();
  expect(await watches()).toEqual([
    [ONE, 'none'],
    [ONE, 'daily'],
  ]);
});

test('a case that is saved again keeps its nickname and tags, unless others are given', async () => {
  await cases.save(ONE, ADA, { nickname: 'Mom', tags: ['family'] });
  await cases.remove(ONE);
  expect(await (await cases.save(ONE)).json()).toMatchObject({ nickname: 'Mom', tags: ['family'] });
  await cases.remove(ONE);
  expect(await (await cases.save(ONE, ADA, { nickname: null, tags: [] })).json()).toMatchObject({
    nickname: null,
    tags: [],
  });
  expect(await removed(ADA)).toEqual([]);
});

test('after 30 days a removed case is neither listed nor restored, and is purged', async () => {
  await cases.save(ONE, PAT, { nickname: 'Mom' });
  await cases.remove(ONE, PAT);
  await cases.clock.advance(REMOVED_CASES_DAYS * DAY_MS);
  expect(await removed()).toHaveLength(1);
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: [ONE] }))).toEqual(['changed']);
  await cases.remove(ONE, PAT);
  await cases.clock.advance(REMOVED_CASES_DAYS * DAY_MS);
  await cases.clock.advance(1);
  expect(await removed()).toEqual([]);
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: [ONE] }))).toEqual([
    'SAVED_CASE_NOT_FOUND',
  ]);
  await cases.save(TWO, PAT);
  await cases.remove(TWO, PAT);
  const job = cases.service.jobs.find(({ name }) => name === 'purge-removed-cases');
  job?.start();
  await expect
    .poll(() => cases.database.query('SELECT receipt_number FROM cases.removed_cases'))
    .toEqual([{ receipt_number: TWO }]);
  await job?.stop();
});

test.each([
  ['ahead', 40],
  ['behind', -40],
])(
  'a removed case can be restored for 30 days by the database’s time, also by a process whose clock is %s',
  async (_, days) => {
    const { database, clock } = cases;
    const other = await startCases({
      clock: { ...clock, nowMs: () => clock.nowMs() + days * DAY_MS },
      database,
    });
    const ofOther = workspaceCalls(() => other);
    const purging = other.service.jobs.find(({ name }) => name === 'purge-removed-cases');
    try {
      for (const receiptNumber of [ONE, TWO, THREE]) await cases.save(receiptNumber, PAT);
      await cases.remove(ONE, PAT);
      await other.remove(TWO, PAT);
      await ofOther.bulk({ action: 'remove', receiptNumbers: [THREE] });
      const removedAt = new Date(clock.nowMs()).toISOString();
      const all = [ONE, TWO, THREE].map((receiptNumber) =>
        expect.objectContaining({ receiptNumber, removedAt }),
      );
      await database.query(
        `INSERT INTO cases.removed_cases (user_id, receipt_number, tags, monitoring_frequency, created_at, removed_at)
       VALUES ('${BOB.userId}', '${FOUR}', '{}', 'none', '2000-01-01', '2000-01-01')`,
      );
      await clock.advance(REMOVED_CASES_DAYS * DAY_MS);
      purging?.start();
      const kept = () => database.query('SELECT receipt_number FROM cases.removed_cases ORDER BY 1');
      await expect.poll(kept).toEqual([ONE, TWO, THREE].map((receipt_number) => ({ receipt_number })));
      expect([await removed(), await ofOther.removed()]).toEqual([all, all]);
      const restore = async (...receiptNumbers: string[]) =>
        outcomes(await ofOther.bulk({ action: 'restore', receiptNumbers }));
      expect(await restore(ONE)).toEqual(['changed']);
      await clock.advance(1);
      expect(await ofOther.removed()).toEqual([]);
      expect(await restore(TWO)).toEqual(['SAVED_CASE_NOT_FOUND']);
      await clock.advance(3_600_000);
      await expect.poll(kept).toEqual([]);
    } finally {
      await purging?.stop();
      await other.stop();
    }
  },
);

test('the deletion of the account erases what could be restored', async () => {
  await cases.save(ONE, ADA);
  await cases.remove(ONE);
  await cases.deliver(userDeleted, { userId: ADA.userId });
  expect(await cases.database.query('SELECT 1 FROM cases.removed_cases')).toEqual([]);
  expect(await errorOf(await ask({ action: 'restore', receiptNumbers: [ONE] }, ADA))).toMatchObject({
    status: 401,
    code: 'SIGNED_OUT',
  });
});
