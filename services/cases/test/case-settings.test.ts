import { forThisFile } from '@casewatch/testing/for-this-file';
import { beforeEach, expect, test } from 'vitest';
import { ADA, errorOf, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, ONE, outcomes, TWO, workspaceCalls } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

const { bulk, watches } = workspaceCalls(() => cases);

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

test('a snooze until a time that PostgreSQL does not read is over', async () => {
  await cases.save(ONE, PAT);
  const snoozedUntil = '0000-01-01T00:00:00Z';
  const changed = await cases.change(ONE, { snoozedUntil }, PAT);
  expect([changed.status, await changed.json()]).toMatchObject([
    200,
    { snoozedUntil: '0001-01-01T00:00:00.000Z' },
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
    error: 'Alerts for a case can be snoozed for at most 365 days.',
  });
  expect(await (await cases.change(ONE, { snoozedUntil: null }, PAT)).json()).toMatchObject({
    snoozedUntil: null,
  });
  expect(await watches()).toEqual([]);
});
