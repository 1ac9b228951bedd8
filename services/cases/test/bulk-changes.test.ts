import { caseWatchChanged, savedCasesChanged } from '@casewatch/contracts/events';
import { SAVED_CASE_BULK_MAX } from '@casewatch/contracts/limits';
import { importSavedCases } from '@casewatch/contracts/workspace';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { beforeEach, expect, test } from 'vitest';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';
import { DAY_MS, emptyLists, FOUR, ONE, outcomes, THREE, TWO, workspaceCalls } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

const { ask, bulk, removed, importCases, watches } = workspaceCalls(() => cases);

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
    error: 'Alerts for a case can be snoozed for at most 365 days.',
    messageKey: 'snooze-long',
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
    error: 'Choose at most 500 receipt numbers at a time',
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

test('the list has the cases of an import in the order of its file, request by request', async () => {
  const numbers = Array.from({ length: 300 }, (_, nth) => `SRC${2_190_000_000 + ((nth * 7919) % 300)}`);
  const toCases = (some: string[]) => some.map((receiptNumber) => ({ receiptNumber }));
  await cases.save(ONE, PAT);
  await cases.clock.advance(1_000);
  await importCases(toCases(numbers.slice(0, 200)));
  // The second request comes later, and goes beneath the first.
  await cases.clock.advance(5);
  await importCases([...toCases(numbers.slice(200)), { receiptNumber: ONE }], PAT, numbers[199]);
  expect((await cases.saved(PAT)).map(({ receiptNumber }) => receiptNumber)).toEqual([...numbers, ONE]);
});

test('an import that follows a case which is no longer saved goes on top', async () => {
  await cases.save(ONE, PAT);
  await cases.clock.advance(10);
  await importCases([{ receiptNumber: TWO }, { receiptNumber: THREE }], PAT, FOUR);
  expect((await cases.saved(PAT)).map(({ receiptNumber }) => receiptNumber)).toEqual([TWO, THREE, ONE]);
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
