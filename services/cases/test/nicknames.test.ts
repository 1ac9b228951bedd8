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
  });
});

test('an overview has the cases that are checked automatically, not those in the archive', async () => {
  const pat = { ...PAT, userId: randomUUID() };
  await cases.save(ONE, pat, { nickname: 'Mum', monitoringFrequency: 'daily' });
  await cases.save(TWO, pat);
  await cases.save('EAC9999103405', pat, { monitoringFrequency: 'daily' });
  await cases.change('EAC9999103405', { archived: true }, pat);
  const answer = await cases.call('POST', listCaseOverviews.path, { body: { userIds: [pat.userId] } });
  const overviews = listCaseOverviews.answer.parse(await answer.json());
  expect(overviews.cases).toMatchObject([{ userId: pat.userId, receiptNumber: ONE, nickname: 'Mum' }]);
});

test('only the product itself may ask, for a bounded number of cases', async () => {
  const one = { userId: ADA.userId, receiptNumber: ONE };
  expect((await ask([one], { 'x-casewatch-internal': 'a guess' })).status).toBe(404);
  for (const asked of [[], [{ ...one, receiptNumber: 'x' }], Array(CASE_NICKNAMES_MAX + 1).fill(one)]) {
    expect((await ask(asked)).status).toBe(400);
  }
});
