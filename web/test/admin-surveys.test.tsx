import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { button, expect, settle, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { pendingSurvey } from './samples.ts';

async function openSurveys(api: FakeApi, path = '/admin?tab=surveys'): Promise<void> {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  api.answers(endpoints.adminLogIn, {
    ok: true,
    idleSeconds: 900,
    admin: { name: 'passcode', role: 'owner' },
  });
  await showApp(path);
  await page.getByLabelText('Passcode').fill('secret');
  await button('Access Admin Panel').click();
}

test('a date of a survey that is typed in part is not taken for none', async ({ api }) => {
  api.answers(endpoints.listSurveys, []);
  const sent = api.holds(endpoints.createSurvey);
  await openSurveys(api);
  await button('Create survey').click();
  const dialog = page.getByRole('dialog', { name: 'Create survey' });
  await dialog.getByLabelText('Title').fill('How is it going?');
  const end = dialog.getByLabelText('End date (Optional)');
  end.element().focus();
  await userEvent.keyboard('0231');
  await dialog.getByRole('button', { name: 'Create survey' }).click();
  await expect.element(dialog.getByText('Enter a whole date that exists, or clear the field.')).toBeVisible();
  await expect.element(end).toHaveFocus();
  expect(sent).toHaveLength(0);
  await end.fill('2026-03-01');
  await dialog.getByRole('button', { name: 'Create survey' }).click();
  await expect.poll(() => sent.map(({ body }) => body.endDate)).toEqual(['2026-03-01']);
});

test('a double click makes one copy of a survey', async ({ api }) => {
  api.answers(endpoints.listSurveys, [{ ...pendingSurvey(), responseCount: 0 }]);
  const copies = api.holds(endpoints.duplicateSurvey);
  await openSurveys(api);
  await button('Duplicate How is it going?').dblClick();
  await settle();
  expect(copies).toHaveLength(1);
});

test('answers of a survey come twenty at a time; those that can not be read on say so, and come with the next try', async ({
  api,
}) => {
  const { survey, questions } = pendingSurvey();
  const text = questions.find(({ questionType }) => questionType === 'text');
  api.answers(endpoints.getSurveyResults, {
    survey,
    ...{ responseCount: 21, skipCount: 0 },
    questions: text ? [{ question: text, answered: 21, options: [] }] : [],
  });
  const answersTo = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      id: `0198c0de-0000-7000-8000-${String(nth).padStart(12, '0')}`,
      text: `Answer ${nth}`,
      createdAt: '2026-01-05T10:03:00.000Z',
    }));
  api.answers(endpoints.listTextAnswers, answersTo(20));
  await openSurveys(api, `/admin?tab=surveys&results=${survey.id}`);
  await expect.element(page.getByText('Answer 19', { exact: true })).toBeVisible();
  api.refuses(endpoints.listTextAnswers, 'INTERNAL');
  await button('Load more').click();
  await expect.element(page.getByText('More answers could not be loaded. Please try again.')).toBeVisible();
  const [last] = answersTo(20).slice(-1);
  api.serves(endpoints.listTextAnswers, ({ query }) =>
    query.before === last?.id ? answersTo(21).slice(20) : [],
  );
  await button('Load more').click();
  await expect.element(page.getByText('Answer 20', { exact: true })).toBeVisible();
  await expect.element(button('Load more')).not.toBeInTheDocument();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
