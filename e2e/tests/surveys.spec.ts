import type { Page } from '@playwright/test';
import { enterPasscode, openAdmin, test } from '../src/admin.ts';
import { holdAnswers, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { logOut, tabTo } from '../src/steps.ts';
import {
  addQuestions,
  change,
  fillIn,
  logInUntilDue,
  makeSurvey,
  pendingOf,
  signUpDue,
  survey,
  surveysOf,
} from '../src/survey-steps.ts';

const RESPOND = { method: 'POST', path: '/api/surveys/respond' };
const PENDING = { method: 'GET', path: '/api/surveys/pending' };

test('a survey is asked at the login it is due at, answered, and counted in its results', async ({
  page,
  admin,
  freeUser: person,
}) => {
  const made = await makeSurvey(admin, { loginTrigger: 3 });
  await page.goto('/');
  await expect(page.getByTestId('user-menu')).toBeVisible();
  expect(await pendingOf(page)).toEqual([]);
  await logInUntilDue(page, person);

  const asked = recordCalls(page, PENDING);
  await page.goto('/profile');
  const dialog = survey(page);
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('Two minutes.')).toBeVisible();
  await expect(dialog.getByText(/^1\. What do you use\? \*/)).toBeVisible();
  await expect(dialog.getByText(/^2\. Would you recommend it\? \*/)).toBeVisible();
  await expect(dialog.getByText('3. What is missing?', { exact: true })).toBeVisible();
  const box = dialog.getByPlaceholder('Your answer...');
  await expect(box).toHaveAttribute('rows', '3');
  await expectAccessible(page);
  expect(asked).toHaveLength(1);

  await dialog.getByLabel('Search').check();
  await dialog.getByLabel('Profile').check();
  await dialog.getByLabel('Yes').check();
  await dialog.getByLabel('No').check();
  await expect(dialog.getByLabel('Yes')).not.toBeChecked();
  await box.fill('=1+1');
  const slow = await holdAnswers(page, RESPOND);
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === RESPOND.path);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog.getByRole('button', { name: 'Submitting...' })).toBeDisabled();
  const body = (await sent).postDataJSON();
  expect(body.surveyId).toBe(made.id);
  expect(body.responses).toEqual([
    { questionId: expect.any(String), responseOptions: ['Search', 'Profile'] },
    { questionId: expect.any(String), responseOptions: ['No'] },
    { questionId: expect.any(String), responseText: '=1+1' },
  ]);
  slow.release();
  await expectToast(page, 'Thank you!', 'Your feedback has been submitted successfully.');
  await expect(dialog).toHaveCount(0);
  expect(await pendingOf(page)).toEqual([]);

  await openAdmin(page, '/admin?tab=surveys');
  await page.getByRole('button', { name: 'Results How is it going?' }).click();
  await expect(page.getByRole('heading', { name: 'Results: How is it going?' })).toBeVisible();
  await expect(page.getByText('Responses', { exact: true }).locator('..')).toContainText('1');
  await expect(page.getByText('Skipped', { exact: true }).locator('..')).toContainText('0');
  for (const [option, count] of [
    ['Search', '1 (100%)'],
    ['Alerts', '0 (0%)'],
    ['Profile', '1 (100%)'],
    ['Yes', '0 (0%)'],
  ] as const) {
    await expect(page.getByRole('listitem').filter({ hasText: option, hasNotText: '.' })).toContainText(
      count,
    );
  }
  await expect(page.getByText('=1+1')).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  let csv = '';
  for await (const piece of await (await download).createReadStream()) csv += String(piece);
  expect(csv).toContain("'=1+1");
  await page.getByRole('button', { name: 'Back to surveys' }).click();
  await page.getByRole('button', { name: 'Delete How is it going?' }).click();
  await expect(
    page.getByRole('dialog').getByText(/This also deletes 3 questions and 1 response/),
  ).toBeVisible();
});

test('a skipped survey is counted, and comes again when it is due', async ({ page, admin }) => {
  const made = await makeSurvey(admin);
  const person = await signUpDue(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect(survey(page)).toHaveCount(0);
  await expect.poll(async () => (await pendingOf(page)).length).toBe(0);
  const results = await (await admin.get(`/api/admin/surveys/${made.id}/results`)).json();
  expect(results).toMatchObject({ responseCount: 0, skipCount: 1 });
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await logInUntilDue(page, person);
  await page.goto('/');
  await expect(survey(page)).toBeVisible();
});

test('a survey that was changed, closed, deleted or answered since it was opened says so', async ({
  page,
  context,
  admin,
}) => {
  const first = await makeSurvey(admin);
  await signUpDue(page);
  const [owner] = await surveysOf(admin);
  const submit = (tab: Page) => survey(tab).getByRole('button', { name: 'Submit' }).click();

  await page.goto('/');
  await fillIn(page);
  const radio = owner?.questions.find(({ questionType }) => questionType === 'radio');
  await change(admin, `/api/admin/survey-questions/${radio?.id}`, { options: ['Certainly', 'No'] });
  await submit(page);
  await expectToast(page, 'Survey changed');
  await expect(survey(page).getByLabel('Alerts')).toBeChecked();
  await survey(page).getByLabel('Certainly').check();

  const other = await context.newPage();
  await other.goto('/');
  await survey(other).getByLabel('Search').check();
  await survey(other).getByLabel('No').check();
  await submit(page);
  await expectToast(page, 'Thank you!');
  await submit(other);
  await expectToast(other, 'Already answered');
  await expect(survey(other)).toHaveCount(0);
  await other.close();
  expect((await admin.delete(`/api/admin/surveys/${first.id}`)).ok()).toBe(true);

  const second = await makeSurvey(admin);
  await page.reload();
  await fillIn(page);
  await change(admin, `/api/admin/surveys/${second.id}`, { isActive: false });
  await submit(page);
  await expectToast(page, 'Survey changed', 'This survey is no longer open.');
  await expect(survey(page)).toHaveCount(0);

  await change(admin, `/api/admin/surveys/${second.id}`, { isActive: true });
  await page.reload();
  await fillIn(page);
  expect((await admin.delete(`/api/admin/surveys/${second.id}`)).ok()).toBe(true);
  await submit(page);
  await expectToast(page, 'Survey closed');
  await expect(survey(page)).toHaveCount(0);
});

test('a tall survey keeps within the window and scrolls', { tag: '@phone' }, async ({ page, admin }) => {
  const made = await makeSurvey(admin);
  for (let nth = 0; nth < 12; nth += 1) {
    await post(admin, '/api/admin/survey-questions', {
      surveyId: made.id,
      questionText: `And number ${nth}?`,
    });
  }
  await signUpDue(page);
  await page.goto('/saved-cases');
  const dialog = survey(page);
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  const content = await dialog.locator('.modal-content').boundingBox();
  const window = page.viewportSize();
  expect(content?.height).toBeLessThanOrEqual((window?.height ?? 0) * 0.9);
  expect(content?.width).toBeLessThanOrEqual(Math.min(672, window?.width ?? 0));
  await expect(dialog.getByRole('button', { name: 'Submit' })).toBeInViewport();
  await expect(dialog.getByText('15. And number 11?')).not.toBeInViewport();
  await dialog.getByText('15. And number 11?').scrollIntoViewIfNeeded();
  await expect(dialog.getByText('15. And number 11?')).toBeInViewport();
  await expect(dialog.getByRole('button', { name: 'Submit' })).toBeInViewport();
});

test('a survey is made and answered with the keyboard alone', async ({ page, admin }) => {
  await page.goto('/admin?tab=surveys');
  await enterPasscode(page);
  await tabTo(page, page.getByRole('button', { name: 'Create survey' }));
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: 'Create survey' });
  await tabTo(page, editor.getByLabel('Title'));
  await page.keyboard.type('How is it going?');
  await tabTo(page, editor.getByLabel('Active'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Survey created successfully');
  const [made] = await surveysOf(admin);
  await addQuestions(admin, made?.survey.id ?? '');

  await signUpDue(page);
  await page.goto('/');
  const dialog = survey(page);
  await tabTo(page, dialog.getByLabel('Search'));
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByLabel('Yes'));
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByLabel('No')).toBeChecked();
  await tabTo(page, dialog.getByPlaceholder('Your answer...'));
  await page.keyboard.type('Fine');
  await tabTo(page, dialog.getByRole('button', { name: 'Submit' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'Thank you!');
});
