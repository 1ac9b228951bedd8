import { savedCase } from '@casewatch/contracts/cases';
import { caseWatchChanged, userChanged, userDeleted } from '@casewatch/contracts/events';
import type { Tier } from '@casewatch/contracts/limits';
import type { Person } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

const ONE = 'EAC9999103403';
const TWO = 'EAC9999103404';
const THREE = 'EAC9999103405';
const FOUR = 'EAC9999103410';

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
});
afterAll(() => cases.stop());
beforeEach(async () => {
  await cases.database.query('DELETE FROM cases.saved_cases');
  await cases.database.query('DELETE FROM cases.deleted_users');
  await cases.database.query('DELETE FROM cases.plans');
  await cases.database.query('DELETE FROM cases.case_snapshots');
  await cases.clock.advance(86_400_000);
  await cases.forgetPublished();
});

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
      error: 'A character can’t be stored.',
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

test('of four saves at once by a free user with two saved cases one succeeds', async () => {
  await cases.save(ONE);
  await cases.save(TWO);
  const numbers = [THREE, FOUR, 'LIN9999106498', 'LIN9999106499'];
  const answers = await Promise.all(numbers.map((number) => cases.save(number)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
  expect(await cases.saved()).toHaveLength(3);
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
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([
    { ...watch, frequency: 'daily' },
    { ...watch, frequency: 'monthly' },
    { ...watch, frequency: 'none' },
  ]);
});

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

test('a removed case is gone, and can be saved again', async () => {
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
  await cases.deliver(userChanged, { userId: ADA.userId, name: 'Ada', tier: 'free' });
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

test('when a frequency was chosen is kept until another one is', async () => {
  const setAt = async () => {
    const rows = await cases.database.query<{ frequency_set_at: Date }>(
      'SELECT frequency_set_at FROM cases.saved_cases',
    );
    return rows[0]?.frequency_set_at.getTime();
  };
  const savedMs = cases.clock.nowMs();
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.clock.advance(1_000);
  await cases.change(ONE, { nickname: 'Mum', monitoringFrequency: 'daily' }, PAT);
  expect(await setAt()).toBe(savedMs);
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  expect(await setAt()).toBe(savedMs + 1_000);
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
  await cases.database.query(`UPDATE cases.saved_cases SET status_changed_at = now()`);
  expect(await dayOf(dated), 'of a status that an older process has stored').toBeUndefined();
});
