import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { PendingSurvey, Survey } from '@casewatch/contracts/surveys';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, newPerson, type Person } from './fixtures.ts';
import { post } from './post.ts';

const QUESTIONS = [
  { questionText: 'What do you use?', questionType: 'checkbox', options: ['Search', 'Alerts', 'Profile'] },
  { questionText: 'Would you recommend it?', questionType: 'radio', options: ['Yes', 'No'] },
  { questionText: 'What is missing?', questionType: 'text', isRequired: false },
] as const;

/** Returns the dialog that asks the survey of `makeSurvey`. */
export const survey = (page: Page) => page.getByRole('dialog', { name: 'How is it going?' });

export async function surveysOf(admin: APIRequestContext): Promise<AdminSurvey[]> {
  return (await admin.get('/api/admin/surveys')).json();
}

/** Makes an active survey with three questions, due at the first login. */
export async function makeSurvey(admin: APIRequestContext, facts: Partial<Survey> = {}): Promise<Survey> {
  const made = await post<Survey>(admin, '/api/admin/surveys', {
    title: 'How is it going?',
    description: 'Two minutes.',
    isActive: true,
    ...facts,
  });
  await addQuestions(admin, made.id);
  return made;
}

export async function addQuestions(admin: APIRequestContext, surveyId: string): Promise<void> {
  for (const question of QUESTIONS)
    await post(admin, '/api/admin/survey-questions', { surveyId, ...question });
}

export async function change(admin: APIRequestContext, path: string, data: unknown): Promise<void> {
  const answer = await admin.patch(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
}

export async function pendingOf(page: Page): Promise<PendingSurvey[]> {
  return (await page.context().request.get('/api/surveys/pending')).json();
}

/** Returns a new user with one survey due; a login is counted a moment after it. */
export async function signUpDue(page: Page): Promise<Person> {
  const person = newPerson();
  await post(page.context().request, '/api/auth/signup', person);
  await logInUntilDue(page, person);
  return person;
}

export async function logInUntilDue(page: Page, { email, password }: Person): Promise<void> {
  await expect
    .poll(async () => {
      await post(page.context().request, '/api/auth/login', { email, password });
      return (await pendingOf(page)).length;
    })
    .toBe(1);
}

export async function fillIn(page: Page): Promise<void> {
  await survey(page).getByLabel('Alerts').check();
  await survey(page).getByLabel('Yes').check();
  await survey(page).getByPlaceholder('Your answer...').fill('Nothing');
}

/** In the tests of surveys there is one at a time. */
export async function removeSurveys(admin: APIRequestContext): Promise<void> {
  for (const { survey } of await surveysOf(admin)) {
    expect((await admin.delete(`/api/admin/surveys/${survey.id}`)).ok()).toBe(true);
  }
}
