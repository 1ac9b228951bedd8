import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, newUserId, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
let ada: string;
beforeEach(async () => {
  surveys = await startSurveys();
  ada = newUserId();
});
afterEach(() => surveys.stop());

test('a survey is pending with its questions in their order', async () => {
  const survey = await surveys.createSurvey({ title: 'Feedback', description: 'Short' });
  const second = await surveys.createQuestion(survey.id, { questionText: 'second', orderIndex: 5 });
  const options = ['a', 'b'];
  const first = await surveys.createQuestion(survey.id, { questionType: 'radio', options, orderIndex: 2 });
  await surveys.loggedIn(ada, 1);
  const [pending] = await surveys.pending(ada);
  expect(pending?.survey).toMatchObject({
    id: survey.id,
    title: 'Feedback',
    description: 'Short',
    version: 3,
  });
  expect(pending?.questions).toEqual([first, second]);
});

test.each([
  [1, [0], [1, 2, 9]],
  [3, [0, 1, 2], [3, 4]],
])(
  'by login count %i it is due after that many sign-ins since the account began',
  async (loginTrigger, not, due) => {
    await surveys.askedSurvey({ loginTrigger });
    for (const [counts, length] of [[not, 0] as const, [due, 1] as const]) {
      for (const count of counts) {
        const userId = newUserId();
        if (count > 0) await surveys.loggedIn(userId, count);
        expect(await surveys.pending(userId), `after ${count}`).toHaveLength(length);
      }
    }
  },
);

test('by login count it is due again after as many more sign-ins since it was last shown', async () => {
  const { surveyId } = await surveys.askedSurvey({ loginTrigger: 2 });
  await surveys.loggedIn(ada, 5);
  const skipped = await surveys.skip(ada, surveyId);
  expect([skipped.status, await skipped.json()]).toEqual([200, { ok: true }]);
  expect(await surveys.pending(ada)).toEqual([]);
  await surveys.loggedIn(ada, 6);
  expect(await surveys.pending(ada)).toEqual([]);
  await surveys.loggedIn(ada, 7);
  expect(await surveys.pending(ada)).toHaveLength(1);
  await surveys.skip(ada, surveyId);
  expect(await surveys.pending(ada)).toEqual([]);
});

test('being shown a survey before the first sign-in is known counts as no sign-in', async () => {
  await surveys.askedSurvey({ title: 'by login count' });
  const { surveyId } = await surveys.askedSurvey({ frequency: 'weekly' });
  await surveys.skip(ada, surveyId);
  expect(await surveys.pending(ada)).toEqual([]);
  await surveys.loggedIn(ada, 1);
  expect(await surveys.pendingTitles(ada)).toEqual(['by login count']);
});

test.each([
  ['weekly', 7],
  ['monthly', 30],
])('%s: due at once, and %i days after it was last shown', async (frequency, days) => {
  const { surveyId } = await surveys.askedSurvey({ frequency });
  expect(await surveys.pending(ada)).toHaveLength(1);
  await surveys.skip(ada, surveyId);
  await surveys.clock.advance(days * DAY_MS - 1);
  expect(await surveys.pending(ada)).toEqual([]);
  await surveys.clock.advance(1);
  expect(await surveys.pending(ada)).toHaveLength(1);
  await surveys.skip(ada, surveyId);
  expect(await surveys.pending(ada)).toEqual([]);
});

test('once answered it is never pending again', async () => {
  const { surveyId, questionId } = await surveys.askedSurvey({ frequency: 'weekly' });
  const answer = await surveys.respond(ada, surveyId, [{ questionId, responseText: 'fine' }]);
  expect([answer.status, await answer.json()]).toEqual([201, { ok: true }]);
  await surveys.clock.advance(100 * DAY_MS);
  await surveys.skip(ada, surveyId);
  await surveys.clock.advance(100 * DAY_MS);
  expect(await surveys.pending(ada)).toEqual([]);
  expect(await surveys.pending(newUserId())).toHaveLength(1);
});

test('only active surveys that ask something are pending', async () => {
  await surveys.askedSurvey({ frequency: 'weekly', isActive: false });
  await surveys.createSurvey({ frequency: 'weekly' });
  expect(await surveys.pending(ada)).toEqual([]);
});

test('a survey is pending within its dates, its last day included', async () => {
  // The clock stands at noon of 2026-01-05, UTC.
  await surveys.askedSurvey({ frequency: 'weekly', startDate: '2026-01-07', endDate: '2026-01-08' });
  const pendingNow = async () => (await surveys.pending(ada)).length;
  expect(await pendingNow()).toBe(0);
  await surveys.clock.advance(1.5 * DAY_MS - 1);
  expect(await pendingNow()).toBe(0);
  await surveys.clock.advance(1);
  expect(await pendingNow()).toBe(1);
  await surveys.clock.advance(2 * DAY_MS - 1);
  expect(await pendingNow()).toBe(1);
  await surveys.clock.advance(1);
  expect(await pendingNow()).toBe(0);
});

test('an end with a time of day ends there', async () => {
  await surveys.askedSurvey({ frequency: 'weekly', endDate: '2026-01-05T15:00:00+02:00' });
  await surveys.clock.advance(60 * 60_000 - 1);
  expect(await surveys.pending(ada)).toHaveLength(1);
  await surveys.clock.advance(1);
  expect(await surveys.pending(ada)).toEqual([]);
});

test('what was never shown comes first, the oldest before the newer, then what was shown longest ago', async () => {
  const ids: string[] = [];
  for (const title of ['one', 'two', 'three', 'four']) {
    ids.push((await surveys.askedSurvey({ title, frequency: 'weekly' })).surveyId);
    await surveys.clock.advance(1_000);
  }
  await surveys.skip(ada, ids[2] ?? '');
  await surveys.clock.advance(1_000);
  await surveys.skip(ada, ids[0] ?? '');
  expect(await surveys.pendingTitles(ada)).toEqual(['two', 'four']);
  await surveys.clock.advance(7 * DAY_MS);
  expect(await surveys.pendingTitles(ada)).toEqual(['two', 'four', 'three', 'one']);
});

test('of surveys of one moment the first twenty are pending, by their ids', async () => {
  const id = "lpad(n::text, 32, '0')::uuid";
  await surveys.database.query(
    `INSERT INTO surveys.surveys SELECT ${id}, n::text, NULL, true, NULL, NULL, 'weekly', 1, 1, $1, $1
     FROM generate_series(21, 1, -1) AS n`,
    [new Date(surveys.clock.nowMs())],
  );
  await surveys.database.query(
    `INSERT INTO surveys.questions SELECT gen_random_uuid(), ${id}, 'Why?', 'text', '{}', 0, true, now()
     FROM generate_series(1, 21) AS n`,
  );
  expect(await surveys.pendingTitles(ada)).toEqual(Array.from({ length: 20 }, (_, nth) => `${nth + 1}`));
  expect((await surveys.listed()).map(({ survey }) => survey.title)[0]).toBe('21');
});

test('late, doubled and reordered sign-in events leave the highest count', async () => {
  await surveys.askedSurvey({ loginTrigger: 3 });
  for (const count of [3, 1, 3, 2]) await surveys.loggedIn(ada, count);
  expect(await surveys.pending(ada)).toHaveLength(1);
});

test('asking changes nothing: what was not skipped or answered stays pending', async () => {
  await surveys.askedSurvey({ frequency: 'monthly' });
  await surveys.pending(ada);
  expect(await surveys.pending(ada)).toHaveLength(1);
});

test('one person’s skips and answers do not affect others', async () => {
  const { surveyId, questionId } = await surveys.askedSurvey({ frequency: 'weekly' });
  const [skipper, answerer] = [newUserId(), newUserId()];
  await surveys.skip(skipper, surveyId);
  await surveys.respond(answerer, surveyId, [{ questionId, responseText: 'only mine' }]);
  const seen = await surveys.pending(ada);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain('only mine');
});

test.each([
  ['GET', 'pending'],
  ['POST', 'respond'],
  ['POST', 'skip'],
])('%s %s is for the signed-in alone', async (method, path) => {
  const body = method === 'GET' ? undefined : { surveyId: newUserId(), responses: [] };
  const answer = await surveys.call(method, `/api/surveys/${path}`, { body });
  expect(answer.status).toBe(401);
});
