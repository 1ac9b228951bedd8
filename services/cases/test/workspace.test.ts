import { caseWatchChanged, savedCasesChanged, userChanged, userDeleted } from '@casewatch/contracts/events';
import { REMOVED_CASES_DAYS, SAVED_CASE_BULK_MAX } from '@casewatch/contracts/limits';
import {
  type BulkOutcome,
  changeSavedCases,
  importSavedCases,
  listRemovedCases,
  type RemovedCase,
} from '@casewatch/contracts/workspace';
import type { Person } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];
const DAY_MS = 86_400_000;

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
});
afterAll(() => cases.stop());
beforeEach(async () => {
  for (const table of ['saved_cases', 'removed_cases', 'deleted_users', 'case_snapshots']) {
    await cases.database.query(`DELETE FROM cases.${table}`);
  }
  await cases.clock.advance(DAY_MS);
  await cases.forgetPublished();
});

const ask = (body: unknown, as: Person = PAT) => cases.call('POST', changeSavedCases.path, { as, body });
const bulk = async (body: unknown, as: Person = PAT): Promise<BulkOutcome[]> => {
  const answer = await ask(body, as);
  expect(answer.status).toBe(200);
  return changeSavedCases.answer.parse(await answer.json()).results;
};
const removed = async (as: Person = PAT): Promise<RemovedCase[]> =>
  listRemovedCases.answer.parse(await (await cases.call('GET', listRemovedCases.path, { as })).json());
const importCases = (list: unknown[], as: Person = PAT) =>
  cases.call('POST', importSavedCases.path, { as, body: { cases: list } });
const outcomes = (results: readonly BulkOutcome[]) => results.map(({ outcome, code }) => code ?? outcome);
const watches = async () =>
  (await cases.eventsOf(caseWatchChanged)).map(({ receiptNumber, frequency }) => [receiptNumber, frequency]);

test('tags are kept as written, without repetitions in another case', async () => {
  await cases.save(ONE, ADA, { tags: [' Family ', 'urgent', 'FAMILY'] });
  expect((await cases.saved())[0]).toMatchObject({ tags: ['Family', 'urgent'], archivedAt: null });
  const changed = await cases.change(ONE, { tags: ['家族 👨\u200d👩\u200d👧'] });
  expect(await changed.json()).toMatchObject({ tags: ['家族 👨\u200d👩\u200d👧'] });
});

test.each([
  ['a tag of 41 characters', ['x'.repeat(41)], 'A tag must be at most 40 characters.'],
  ['a tag of 10,000 characters', ['x'.repeat(10_000)], 'A tag must be at most 40 characters.'],
  ['an empty tag', [' '], 'A tag needs at least one character.'],
  [
    'an invisible character',
    ['a\u200bb'],
    'A tag has an invisible character. Please type it again without it.',
  ],
  ['eleven tags', Array.from({ length: 11 }, (_, nth) => `t${nth}`), 'A case can have at most 10 tags.'],
])('%s is refused with the reason', async (_name, tags, error) => {
  await cases.save(ONE);
  expect(await errorOf(await cases.change(ONE, { tags }))).toMatchObject({
    status: 400,
    code: 'VALIDATION',
    error,
  });
  expect((await cases.saved())[0]?.tags).toEqual([]);
});

test('a case is archived and brought back; its monitoring stops and resumes', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.forgetPublished();
  const archivedAt = new Date(cases.clock.nowMs()).toISOString();
  expect(await (await cases.change(ONE, { archived: true }, PAT)).json()).toMatchObject({ archivedAt });
  await cases.clock.advance(1_000);
  expect(await (await cases.change(ONE, { archived: true }, PAT)).json()).toMatchObject({ archivedAt });
  expect(await (await cases.change(ONE, { archived: false }, PAT)).json()).toMatchObject({
    archivedAt: null,
    monitoringFrequency: 'daily',
  });
  expect(await watches()).toEqual([
    [ONE, 'none'],
    [ONE, 'daily'],
  ]);
});

test('an archived case counts as saved, and no frequency that is chosen for it runs before it is back', async () => {
  for (const number of [ONE, TWO, 'EAC9999103405']) await cases.save(number, ADA);
  await cases.change(ONE, { archived: true }, ADA);
  expect(await errorOf(await cases.save('EAC9999103406', ADA))).toMatchObject({ code: 'SAVED_CASE_LIMIT' });
  await cases.save(ONE, PAT, { monitoringFrequency: 'none' });
  await cases.change(ONE, { archived: true }, PAT);
  await cases.forgetPublished();
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  expect(await watches()).toEqual([[ONE, 'none']]);
  expect(outcomes(await bulk({ action: 'unarchive', receiptNumbers: [ONE] }))).toEqual(['changed']);
  expect(await watches()).toEqual([
    [ONE, 'none'],
    [ONE, 'weekly'],
  ]);
});

test('a case is snoozed until a date, at most a year ahead, and is checked as before', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.forgetPublished();
  const at = (days: number) => new Date(cases.clock.nowMs() + days * 86_400_000).toISOString();
  const [soon, tooLate] = [at(30), at(365.001)];
  expect((await cases.change(ONE, { snoozedUntil: at(365) }, PAT)).status).toBe(200);
  expect(await (await cases.change(ONE, { snoozedUntil: soon }, PAT)).json()).toMatchObject({
    snoozedUntil: soon,
  });
  expect(await (await cases.change(ONE, { nickname: 'Mom' }, PAT)).json()).toMatchObject({
    snoozedUntil: soon,
  });
  expect(await errorOf(await cases.change(ONE, { snoozedUntil: tooLate }, PAT))).toMatchObject({
    code: 'VALIDATION',
    error: 'A case can be snoozed for at most 365 days.',
  });
  expect(await (await cases.change(ONE, { snoozedUntil: null }, PAT)).json()).toMatchObject({
    snoozedUntil: null,
  });
  expect(await watches()).toEqual([]);
});

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
  const gone = ['EAC9999103411', 'EAC9999103416', 'EAC9999103420'];
  const free: Person = { ...PAT, tier: 'free' };
  await importCases([...numbers, ...gone].map((receiptNumber) => ({ receiptNumber })));
  await bulk({ action: 'remove', receiptNumbers: gone });
  const limit = Array(3).fill('SAVED_CASE_LIMIT');
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: gone }, free))).toEqual(limit);
  const imported = await importCases(
    gone.map((receiptNumber) => ({ receiptNumber })),
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
  await cases.deliver(userChanged, { userId: PAT.userId, name: 'Pat', tier: 'free' });
  await cases.forgetPublished();
  await bulk({ action: 'restore', receiptNumbers: [ONE] }, { ...PAT, tier: 'free' });
  const [paused] = await cases.saved(PAT);
  expect(paused?.monitoringFrequency).toBe('daily');
  expect(paused?.monitoringPausedAt).not.toBeNull();
  expect(await watches()).toEqual([]);
  await cases.deliver(userChanged, { userId: PAT.userId, name: 'Pat', tier: 'pro' });
  expect((await cases.saved(PAT))[0]?.monitoringPausedAt).toBeNull();
  expect(await watches()).toHaveLength(1);
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

test('a change of many has an outcome for each, one event per change, and can be sent again', async () => {
  await cases.save(ONE, PAT);
  await cases.save(TWO, PAT, { monitoringFrequency: 'weekly' });
  const body = {
    action: 'setFrequency',
    receiptNumbers: [TWO, 'eac-9999-103403', THREE, ONE],
    monitoringFrequency: 'weekly',
  };
  await cases.forgetPublished();
  expect(await bulk(body)).toEqual([
    { receiptNumber: TWO, outcome: 'unchanged' },
    { receiptNumber: ONE, outcome: 'changed' },
    {
      receiptNumber: THREE,
      outcome: 'refused',
      code: 'SAVED_CASE_NOT_FOUND',
      error: 'This case is not in your saved list.',
    },
  ]);
  expect(outcomes(await bulk(body))).toEqual(['unchanged', 'unchanged', 'SAVED_CASE_NOT_FOUND']);
  expect(await watches()).toEqual([[ONE, 'weekly']]);
});

test('each transaction that changes a list is published once, and one that changes nothing is not', async () => {
  const published = () => cases.eventsOf(savedCasesChanged);
  const whose = [{ userId: PAT.userId }];
  for (const change of [
    () => cases.save(ONE, PAT),
    () => cases.change(ONE, { nickname: 'Mom' }, PAT),
    () => bulk({ action: 'archive', receiptNumbers: [ONE] }),
    () => cases.remove(ONE, PAT),
    () => bulk({ action: 'restore', receiptNumbers: [ONE] }),
  ]) {
    await cases.forgetPublished();
    await change();
    expect(await published()).toEqual(whose);
  }
  await cases.forgetPublished();
  await bulk({ action: 'archive', receiptNumbers: [ONE, TWO] });
  await cases.save(ONE, PAT);
  expect(await published()).toEqual([]);
});

test('tags are added and removed in any case; a case with ten takes no more', async () => {
  await cases.save(ONE, PAT, { tags: ['Family'] });
  await cases.save(TWO, PAT, { tags: Array.from({ length: 10 }, (_, nth) => `t${nth}`) });
  const both = { receiptNumbers: [ONE, TWO] };
  expect(outcomes(await bulk({ ...both, action: 'addTags', tags: ['FAMILY', 'H-1B'] }))).toEqual([
    'changed',
    'VALIDATION',
  ]);
  expect(outcomes(await bulk({ ...both, action: 'removeTags', tags: ['family', 'T3'] }))).toEqual([
    'changed',
    'changed',
  ]);
  const saved = new Map((await cases.saved(PAT)).map((one) => [one.receiptNumber, one.tags]));
  expect(saved.get(ONE)).toEqual(['H-1B']);
  expect(saved.get(TWO)).toHaveLength(9);
  expect(outcomes(await bulk({ ...both, action: 'addTags', tags: ['h-1b'] }))).toEqual([
    'unchanged',
    'changed',
  ]);
  expect(outcomes(await bulk({ ...both, action: 'removeTags', tags: ['none'] }))).toEqual([
    'unchanged',
    'unchanged',
  ]);
});

test('many are snoozed alike and awake again, without a check more or less', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.save(TWO, PAT);
  const at = (days: number) => new Date(cases.clock.nowMs() + days * DAY_MS).toISOString();
  const snoozedUntil = at(30);
  await cases.change(TWO, { snoozedUntil }, PAT);
  await cases.forgetPublished();
  const snooze = (until: string | null) =>
    bulk({ action: 'snooze', receiptNumbers: [ONE, TWO, THREE], snoozedUntil: until });
  expect(outcomes(await snooze(snoozedUntil))).toEqual(['changed', 'unchanged', 'SAVED_CASE_NOT_FOUND']);
  expect((await cases.saved(PAT)).map((one) => one.snoozedUntil)).toEqual([snoozedUntil, snoozedUntil]);
  expect((await snooze(at(366)))[0]).toEqual({
    receiptNumber: ONE,
    outcome: 'refused',
    code: 'VALIDATION',
    error: 'A case can be snoozed for at most 365 days.',
  });
  expect(outcomes(await snooze(null))).toEqual(['changed', 'changed', 'SAVED_CASE_NOT_FOUND']);
  expect(outcomes(await snooze(null))).toEqual(['unchanged', 'unchanged', 'SAVED_CASE_NOT_FOUND']);
  expect((await cases.saved(PAT)).map((one) => one.snoozedUntil)).toEqual([null, null]);
  expect(await watches()).toEqual([]);
});

test('many are archived, removed and restored alike, and a removal that comes twice says so', async () => {
  for (const number of [ONE, TWO]) await cases.save(number, PAT, { monitoringFrequency: 'daily' });
  await cases.save(THREE, PAT);
  const both = { receiptNumbers: [ONE, TWO] };
  expect(outcomes(await bulk({ ...both, action: 'archive' }))).toEqual(['changed', 'changed']);
  expect(outcomes(await bulk({ ...both, action: 'archive' }))).toEqual(['unchanged', 'unchanged']);
  expect(outcomes(await bulk({ ...both, action: 'unarchive' }))).toEqual(['changed', 'changed']);
  await cases.forgetPublished();
  const three = { receiptNumbers: [ONE, TWO, THREE] };
  expect(outcomes(await bulk({ ...three, action: 'remove' }))).toEqual(['changed', 'changed', 'changed']);
  expect(outcomes(await bulk({ ...both, action: 'remove' }))).toEqual(['unchanged', 'unchanged']);
  expect(await watches()).toEqual([
    [ONE, 'none'],
    [TWO, 'none'],
  ]);
  expect(outcomes(await bulk({ ...both, action: 'restore' }))).toEqual(['changed', 'changed']);
});

test('users change and restore no cases of others', async () => {
  await cases.save(ONE, ADA);
  await cases.save(TWO, ADA);
  await cases.remove(TWO, ADA);
  for (const action of ['archive', 'remove', 'restore']) {
    expect(outcomes(await bulk({ action, receiptNumbers: [ONE, TWO] }, BOB))).toEqual([
      'SAVED_CASE_NOT_FOUND',
      'SAVED_CASE_NOT_FOUND',
    ]);
  }
  expect(await removed(BOB)).toEqual([]);
  expect(await cases.saved(ADA)).toMatchObject([{ receiptNumber: ONE, archivedAt: null }]);
});

test('500 cases change in one request, 501 are refused', async () => {
  const numbers = Array.from({ length: SAVED_CASE_BULK_MAX }, (_, nth) => `SRC${2_190_000_000 + nth}`);
  const imported = await importCases(numbers.map((receiptNumber) => ({ receiptNumber, tags: ['import'] })));
  expect(outcomes(importSavedCases.answer.parse(await imported.json()).results)).toEqual(
    numbers.map(() => 'changed'),
  );
  expect(
    outcomes(await bulk({ action: 'setFrequency', monitoringFrequency: 'daily', receiptNumbers: numbers })),
  ).toEqual(numbers.map(() => 'changed'));
  expect(await cases.eventsOf(caseWatchChanged)).toHaveLength(SAVED_CASE_BULK_MAX);
  expect(await errorOf(await ask({ action: 'archive', receiptNumbers: [...numbers, ONE] }))).toMatchObject({
    status: 400,
    error: 'At most 500 receipt numbers at once',
  });
});

test('observations and changes of many cases at once wait for each other and both take effect', async () => {
  const numbers = Array.from({ length: 100 }, (_, nth) => `SRC${2_190_010_000 + nth * 2}`);
  await importCases(numbers.map((receiptNumber) => ({ receiptNumber })));
  const [results, ...checks] = await Promise.all([
    bulk({ action: 'setFrequency', monitoringFrequency: 'daily', receiptNumbers: numbers.toReversed() }),
    cases.check(numbers),
    bulk({ action: 'archive', receiptNumbers: numbers }),
    cases.check(numbers.toReversed()),
  ]);
  expect(outcomes(results)).toEqual(numbers.map(() => 'changed'));
  expect(checks).toHaveLength(3);
  for (const one of await cases.saved(PAT)) {
    expect(one).toMatchObject({
      monitoringFrequency: 'daily',
      archivedAt: expect.any(String),
      lastKnownStatus: expect.any(String),
      formType: expect.any(String),
    });
  }
});

test('an import saves what is new, keeps what is saved, and stops at the free limit', async () => {
  await cases.save(ONE, ADA, { nickname: 'Mine' });
  const list = [ONE, TWO, TWO, THREE, FOUR].map((receiptNumber) => ({
    receiptNumber,
    nickname: 'From a file',
  }));
  const answer = await importCases(list, ADA);
  const { results } = importSavedCases.answer.parse(await answer.json());
  expect(results.map(({ receiptNumber }) => receiptNumber)).toEqual([ONE, TWO, THREE, FOUR]);
  expect(outcomes(results)).toEqual(['unchanged', 'changed', 'changed', 'SAVED_CASE_LIMIT']);
  expect((await cases.saved(ADA)).find(({ receiptNumber }) => receiptNumber === ONE)?.nickname).toBe('Mine');
});

test('monitoring many and importing with monitoring is for pro users', async () => {
  await cases.save(ONE, ADA);
  const refusal = { status: 403, code: 'PRO_REQUIRED' };
  const daily = { monitoringFrequency: 'daily' };
  expect(
    await errorOf(await ask({ action: 'setFrequency', receiptNumbers: [ONE], ...daily }, ADA)),
  ).toMatchObject(refusal);
  const evenIfPaused = { action: 'setFrequency', receiptNumbers: [ONE], ...daily, evenIfPaused: true };
  expect(await errorOf(await ask(evenIfPaused, ADA))).toMatchObject(refusal);
  expect(await errorOf(await importCases([{ receiptNumber: TWO, ...daily }], ADA))).toMatchObject(refusal);
  expect(await cases.saved(ADA)).toHaveLength(1);
});

test.each([
  [{ action: 'explode', receiptNumbers: [ONE] }],
  [{ action: 'archive', receiptNumbers: [] }],
  [{ action: 'archive', receiptNumbers: ['<b>'] }],
  [{ action: 'addTags', receiptNumbers: [ONE], tags: [] }],
  [{ action: 'addTags', receiptNumbers: [ONE], tags: ['x'.repeat(41)] }],
  [{ action: 'setFrequency', receiptNumbers: [ONE] }],
  [{ action: 'remove', receiptNumbers: [ONE], userId: BOB.userId }],
])('the change of many %j is refused', async (body) => {
  expect((await ask(body)).status).toBe(400);
});

test.each([
  ['GET', '/api/saved-cases/page', undefined],
  ['GET', '/api/saved-cases/removed', undefined],
  ['POST', '/api/saved-cases/bulk', { action: 'archive', receiptNumbers: [ONE] }],
  ['POST', '/api/saved-cases/import', { cases: [{ receiptNumber: ONE }] }],
])('%s %s needs a user', async (method, path, body) => {
  expect(await errorOf(await cases.call(method, path, body ? { body } : {}))).toMatchObject({
    status: 401,
    code: 'SIGNED_OUT',
  });
});
