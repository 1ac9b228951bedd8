import { savedCase } from '@casewatch/contracts/cases';
import { caseWatchChanged, userChanged, userDeleted } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import type { Person } from '@casewatch/testing/test-service';
import { writeAtOnce } from '@casewatch/testing/write-at-once';
import { beforeEach, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, FOUR, ONE, THREE, TWO } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

test('saves a case with the contract’s answer, and lists the newest first', async () => {
  const answer = await cases.save('eac-9999103403', ADA, { nickname: '  Mum  ' });
  expect(answer.status).toBe(201);
  const saved = savedCase.parse(await answer.json());
  expect(saved).toMatchObject({
    userId: ADA.userId,
    receiptNumber: ONE,
    nickname: 'Mum',
    monitoringFrequency: 'none',
    lastCheckedAt: null,
    lastKnownStatus: null,
  });
  await cases.clock.advance(1_000);
  await cases.save(TWO);
  const list = await cases.saved();
  expect(list.map(({ receiptNumber }) => receiptNumber)).toEqual([TWO, ONE]);
  expect(list[1]).toEqual(saved);
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([]);
});

test('a read by receipt number returns only the named cases of the user', async () => {
  await cases.save(ONE);
  await cases.clock.advance(1_000);
  await cases.save(TWO);
  await cases.save(THREE, BOB);
  const ask = (receiptNumbers: string) =>
    cases.call('GET', `/api/saved-cases?receiptNumbers=${receiptNumbers}`, { as: ADA });
  const namesOf = async (answer: Response) =>
    savedCase
      .array()
      .parse(await answer.json())
      .map(({ receiptNumber }) => receiptNumber);
  expect(await namesOf(await ask(ONE))).toEqual([ONE]);
  expect(await namesOf(await ask([ONE, TWO, THREE, FOUR].join()))).toEqual([TWO, ONE]);
  expect(await namesOf(await ask(FOUR))).toEqual([]);
  const tooMany = Array.from({ length: 101 }, (_, at) => `EAC${1_000_000_000 + at}`).join();
  for (const wrong of ['', ',', 'nonsense', `${ONE},`, '%3Cimg%20src=x%20onerror=alert(1)%3E', tooMany]) {
    expect((await ask(wrong)).status, wrong).toBe(400);
  }
});

test.each(['a\u0000b', 'half \ud83d of a pair'])(
  'the nickname %j can’t be stored and is refused',
  async (nickname) => {
    expect(await errorOf(await cases.save(ONE, ADA, { nickname }))).toMatchObject({
      status: 400,
      code: 'VALIDATION',
      error: 'A character can’t be saved.',
    });
    expect(await cases.saved()).toEqual([]);
  },
);

test('a nickname has up to 100 characters, whatever their size in memory', async () => {
  expect((await cases.save(ONE, ADA, { nickname: '\u{1F600}'.repeat(100) })).status).toBe(201);
  expect((await cases.save(TWO, ADA, { nickname: '\u{1F600}'.repeat(101) })).status).toBe(400);
  expect((await cases.saved())[0]?.nickname).toBe('\u{1F600}'.repeat(100));
});

test('a case is saved once', async () => {
  await cases.save(ONE);
  expect(await errorOf(await cases.save(ONE))).toMatchObject({ status: 409, code: 'CASE_ALREADY_SAVED' });
  expect((await cases.save(ONE, BOB)).status).toBe(201);
});

test('the same case saved eight times at once is saved once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => cases.save(ONE, PAT)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
});

test('the fourth case of a free user is refused, that of a pro user is saved', async () => {
  for (const number of [ONE, TWO, THREE]) expect((await cases.save(number)).status).toBe(201);
  expect(await errorOf(await cases.save(FOUR))).toMatchObject({
    status: 403,
    code: 'SAVED_CASE_LIMIT',
    error:
      'Saving more than 3 cases is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
  });
  expect((await cases.save(THREE)).status).toBe(409);
  for (const number of [ONE, TWO, THREE, FOUR]) expect((await cases.save(number, PAT)).status).toBe(201);
  expect((await cases.save(FOUR, BOB)).status).toBe(201);
});

/** Statuses of four saves at once by a free user who has two saved cases, and how many are saved then. */
async function fourSavesAtOnce(at: CasesFixture) {
  await at.save(ONE);
  await at.save(TWO);
  const numbers = [THREE, FOUR, 'LIN9999106498', 'LIN9999106499'];
  const answers = await writeAtOnce(
    at.database,
    'cases.saved_cases',
    numbers.map((number) => () => at.save(number)),
  );
  return { statuses: answers.map(({ status }) => status).sort(), saved: (await at.saved()).length };
}

test('of four saves at once by a free user with two saved cases one succeeds', async () => {
  expect(await fourSavesAtOnce(cases)).toEqual({ statuses: [201, 403, 403, 403], saved: 3 });
});

test('R7, shown able to fail: without the lock of a user each of four saves at once succeeds', async () => {
  mutateImports([
    {
      file: 'services/cases/src/data/pg-saved-cases.ts',
      find: 'await lockUser(tx, userId);',
      replace: '',
    },
  ]);
  const { startCases: startMutated } = await import('./cases-fixture.ts');
  const withoutLock = await startMutated();
  try {
    expect(await fourSavesAtOnce(withoutLock)).toEqual({ statuses: [201, 201, 201, 201], saved: 6 });
  } finally {
    await withoutLock.stop();
  }
});

test('a saved case that was looked up before shows its status at once', async () => {
  const { caseStatus, observedAt } = await cases.found(ONE);
  const saved = savedCase.parse(await (await cases.save(ONE)).json());
  expect(saved).toMatchObject({ lastKnownStatus: caseStatus, lastCheckedAt: observedAt });
});

test('every observation reaches all users that saved the case, also one by another user', async () => {
  await cases.save(ONE, ADA);
  await cases.save(ONE, BOB);
  await cases.save(TWO, BOB);
  const { caseStatus, observedAt } = await cases.found(ONE, PAT);
  const expected = { receiptNumber: ONE, lastKnownStatus: caseStatus, lastCheckedAt: observedAt };
  expect(await cases.saved(ADA)).toMatchObject([expected]);
  expect((await cases.saved(BOB)).find(({ receiptNumber }) => receiptNumber === ONE)).toMatchObject(expected);
  expect(
    (await cases.saved(BOB)).find(({ receiptNumber }) => receiptNumber === TWO)?.lastCheckedAt,
  ).toBeNull();
  await cases.clock.advance(60_000);
  await cases.fault({ mode: 'refused', receiptNumber: ONE, count: 1 });
  await cases.lookUp(ONE);
  expect((await cases.saved(ADA))[0]).toMatchObject(expected);
});

test('nickname and frequency are changed one by one; an empty nickname is none', async () => {
  await cases.save(ONE, PAT, { nickname: 'Dad' });
  expect(await (await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT)).json()).toMatchObject({
    nickname: 'Dad',
    monitoringFrequency: 'weekly',
  });
  expect(await (await cases.change(ONE, { nickname: ' ' }, PAT)).json()).toMatchObject({
    nickname: null,
    monitoringFrequency: 'weekly',
  });
  expect(await (await cases.change(ONE, { nickname: null }, PAT)).json()).toMatchObject({ nickname: null });
});

test.each([
  [{}],
  [{ nickname: 'x'.repeat(101) }],
  [{ monitoringFrequency: 'hourly' }],
  [{ nickname: 'x', userId: BOB.userId }],
])('the change %j is refused', async (body) => {
  await cases.save(ONE);
  expect((await cases.change(ONE, body)).status).toBe(400);
});

test('monitoring is for pro users, at saving and at changing; none is for everyone', async () => {
  const refusal = {
    status: 403,
    code: 'PRO_REQUIRED',
    error: 'Automated Monitoring is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
  };
  expect(await errorOf(await cases.save(ONE, ADA, { monitoringFrequency: 'daily' }))).toMatchObject(refusal);
  expect(await cases.saved()).toEqual([]);
  await cases.save(ONE);
  expect(await errorOf(await cases.change(ONE, { monitoringFrequency: 'daily' }))).toMatchObject(refusal);
  expect((await cases.change(ONE, { monitoringFrequency: 'none' })).status).toBe(200);
});

test('every change of what is watched is published, and nothing else', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.change(ONE, { monitoringFrequency: 'daily', nickname: 'x' }, PAT);
  await cases.change(ONE, { monitoringFrequency: 'monthly' }, PAT);
  await cases.remove(ONE, PAT);
  await cases.save(TWO, PAT);
  await cases.remove(TWO, PAT);
  const watch = { receiptNumber: ONE, userId: PAT.userId };
  const events = await cases.eventsOf(caseWatchChanged);
  expect(events).toMatchObject([
    { ...watch, frequency: 'daily' },
    { ...watch, frequency: 'monthly' },
    { ...watch, frequency: 'none' },
  ]);
  const versions = events.map(({ version }) => BigInt(version));
  expect(versions).toEqual(versions.toSorted((a, b) => Number(a - b)));
  expect(new Set(versions).size).toBe(3);
});

test('a removed case is not listed, and can be saved again', async () => {
  await cases.save(ONE);
  expect((await cases.remove(ONE)).status).toBe(204);
  expect(await cases.saved()).toEqual([]);
  expect(await errorOf(await cases.remove(ONE))).toMatchObject({ status: 404, code: 'SAVED_CASE_NOT_FOUND' });
  expect((await cases.save(ONE)).status).toBe(201);
});

test('users neither see nor change the cases of others', async () => {
  await cases.save(ONE, ADA, { nickname: 'Secret' });
  expect(await cases.saved(BOB)).toEqual([]);
  const notFound = { status: 404, code: 'SAVED_CASE_NOT_FOUND' };
  expect(await errorOf(await cases.change(ONE, { nickname: 'Mine' }, BOB))).toMatchObject(notFound);
  expect(await errorOf(await cases.remove(ONE, BOB))).toMatchObject(notFound);
  expect((await cases.save(ONE, BOB)).status).toBe(201);
  await cases.remove(ONE, BOB);
  expect(await cases.saved(ADA)).toMatchObject([{ nickname: 'Secret' }]);
});

test.each([
  ['GET', '/api/saved-cases', undefined],
  ['POST', '/api/saved-cases', { receiptNumber: ONE }],
  ['PATCH', `/api/saved-cases/${ONE}`, { nickname: 'x' }],
  ['DELETE', `/api/saved-cases/${ONE}`, undefined],
  ['POST', '/api/case-status/bulk', { receiptNumbers: [ONE] }],
])('%s %s needs a user', async (method, path, body) => {
  const answer = await cases.call(method, path, body ? { body } : {});
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
});

test.each(['EAC999910340', 'x', ''])('"%s" can’t be saved', async (receiptNumber) => {
  expect(await errorOf(await cases.save(receiptNumber))).toMatchObject({
    status: 400,
    error: 'Invalid receipt number format',
  });
});

test('a deleted user’s cases are erased, and a late save does not bring them back', async () => {
  await cases.save(ONE, ADA);
  await cases.save(ONE, BOB);
  await cases.deliver(userDeleted, { userId: ADA.userId });
  await cases.deliver(userDeleted, { userId: ADA.userId });
  expect(await cases.saved(ADA)).toEqual([]);
  expect(await cases.saved(BOB)).toHaveLength(1);
  expect(await errorOf(await cases.save(TWO, ADA))).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
  expect((await cases.change(ONE, { nickname: 'x' }, ADA)).status).toBe(404);
  expect((await cases.save(TWO, BOB)).status).toBe(201);
  await cases.deliver(userChanged, {
    userId: ADA.userId,
    name: 'Ada',
    tier: 'free',
    emailChanged: false,
    version: 1,
  });
  expect(
    await cases.database.query('SELECT 1 FROM cases.saved_cases WHERE user_id = $1', [ADA.userId]),
  ).toEqual([]);
});

test('saves and the deletion of the account at the same time leave nothing', async () => {
  const numbers = Array.from({ length: 10 }, (_, index) => `SRC219000020${index}`);
  await Promise.all([
    ...numbers.slice(0, 5).map((number) => cases.save(number, PAT)),
    cases.deliver(userDeleted, { userId: PAT.userId }),
    ...numbers.slice(5).map((number) => cases.save(number, PAT)),
  ]);
  expect(await cases.saved(PAT)).toEqual([]);
});

test('a case that the agency does not recognize, or of an unknown form, is saved without', async () => {
  const unknown = 'EAC1234567891';
  expect((await cases.lookUp(unknown)).status).toBe(404);
  await cases.save(unknown);
  expect(await cases.saved()).toMatchObject([{ lastKnownStatus: null, lastCheckedAt: null, formType: null }]);
  await cases.save(ONE);
  await cases.found(ONE);
  await cases.database.query(`UPDATE cases.case_snapshots SET form_type = '' WHERE receipt_number = $1`, [
    ONE,
  ]);
  await cases.save(ONE, BOB);
  expect(await cases.saved(BOB)).toMatchObject([{ lastKnownStatus: 'Case Was Approved', formType: null }]);
});

test('a saved case has the day that the agency wrote for its status, where it wrote one', async () => {
  const [dated, online] = ['WAC2090000620', 'IOE0912345678'];
  await cases.save(dated);
  await cases.move(dated, 'Case Was Received', '2025-11-01');
  await cases.found(dated);
  await cases.save(dated, BOB);
  await cases.save(online);
  await cases.found(online);
  const dayOf = async (receiptNumber: string, as?: Person) =>
    (await cases.saved(as)).find((one) => one.receiptNumber === receiptNumber)?.statusDate;
  expect(await dayOf(dated)).toBe('2025-11-01');
  expect(await dayOf(dated, BOB), 'saved after the answer').toBe('2025-11-01');
  expect(await dayOf(online)).toBeUndefined();
});
