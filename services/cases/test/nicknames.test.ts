import { randomUUID } from 'node:crypto';
import { CASE_NICKNAMES_MAX, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listCaseOverviews } from '@casewatch/contracts/case-overviews';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const [ONE, TWO] = ['EAC9999103403', 'EAC9999103404'];

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
  await cases.save(ONE, ADA, { nickname: 'Mum' });
  await cases.save(TWO, ADA);
  await cases.save(ONE, BOB, { nickname: 'Dad' });
});
afterAll(() => cases.stop());

const ask = (asked: unknown, headers: Record<string, string> = {}) =>
  cases.call('POST', listCaseNicknames.path, { body: { cases: asked }, headers });

test('each user’s own nickname of a case, where there is one', async () => {
  const answer = await ask([
    { userId: ADA.userId, receiptNumber: ONE },
    { userId: ADA.userId, receiptNumber: TWO },
    { userId: BOB.userId, receiptNumber: ONE },
    { userId: BOB.userId, receiptNumber: TWO },
  ]);
  const { nicknames, details } = listCaseNicknames.answer.parse(await answer.json());
  expect(nicknames).toHaveLength(2);
  expect(nicknames).toContainEqual({ userId: ADA.userId, receiptNumber: ONE, nickname: 'Mum' });
  expect(nicknames).toContainEqual({ userId: BOB.userId, receiptNumber: ONE, nickname: 'Dad' });
  expect(details).toHaveLength(3);
  expect(details).toContainEqual({
    userId: ADA.userId,
    receiptNumber: TWO,
    nickname: null,
    formType: null,
    snoozedUntil: null,
    archived: false,
    status: null,
    statusEs: null,
    openDates: [],
  });
});

test('the details of a case say its form, until when it is snoozed, and that it is archived', async () => {
  const cam = { ...PAT, userId: randomUUID() };
  const { formType, caseStatus, statusEs } = await cases.found(ONE);
  expect(statusEs).toBeDefined();
  await cases.save(ONE, cam);
  const snoozedUntil = new Date(cases.clock.nowMs() + 86_400_000).toISOString();
  await cases.change(ONE, { archived: true, snoozedUntil }, cam);
  const answer = await ask([{ userId: cam.userId, receiptNumber: ONE }]);
  const { details } = listCaseNicknames.answer.parse(await answer.json());
  expect(details).toMatchObject([
    { nickname: null, formType, snoozedUntil, archived: true, status: caseStatus, statusEs },
  ]);
});

test('an overview has the first 200 cases that are checked automatically, not those in the archive or paused', async () => {
  const pat = { ...PAT, userId: randomUUID() };
  const cam = { ...PAT, userId: randomUUID() };
  await cases.save(ONE, pat, { nickname: 'Mum', monitoringFrequency: 'daily' });
  await cases.save(TWO, pat);
  await cases.save('EAC9999103405', pat, { monitoringFrequency: 'daily' });
  await cases.change('EAC9999103405', { archived: true }, pat);
  const { caseStatus, formType, statusEs } = await cases.found(ONE);
  const snoozedUntil = new Date(cases.clock.nowMs() + 86_400_000).toISOString();
  await cases.change(ONE, { snoozedUntil }, pat);
  const listed = (await cases.saved(pat)).find((one) => one.receiptNumber === ONE);
  expect(listed?.statusDate).toBeDefined();
  await cases.database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, monitoring_frequency, monitoring_paused_at, created_at)
     SELECT gen_random_uuid(), $1, 'SRC' || (2190000000 + n), 'daily', CASE WHEN n = 1 THEN now() END, now()
     FROM generate_series(1, 202) AS n`,
    [cam.userId],
  );
  const userIds = [pat.userId, cam.userId, pat.userId];
  const answer = await cases.call('POST', listCaseOverviews.path, { body: { userIds } });
  const overviews = listCaseOverviews.answer.parse(await answer.json());
  expect(overviews.cases.filter(({ userId }) => userId === pat.userId)).toEqual([
    {
      userId: pat.userId,
      receiptNumber: ONE,
      nickname: 'Mum',
      formType,
      status: caseStatus,
      statusEs,
      statusChangedAt: listed?.statusChangedAt,
      statusDate: listed?.statusDate,
      snoozedUntil,
    },
  ]);
  expect(
    overviews.cases.filter(({ userId }) => userId === cam.userId).map(({ receiptNumber }) => receiptNumber),
  ).toEqual(Array.from({ length: 200 }, (_, nth) => `SRC${2_190_000_002 + nth}`));
});

test('only the product itself may ask, for a bounded number of cases', async () => {
  const one = { userId: ADA.userId, receiptNumber: ONE };
  expect((await ask([one], { 'x-casewatch-internal': 'a guess' })).status).toBe(404);
  for (const asked of [[], [{ ...one, receiptNumber: 'x' }], Array(CASE_NICKNAMES_MAX + 1).fill(one)]) {
    expect((await ask(asked)).status).toBe(400);
  }
});
