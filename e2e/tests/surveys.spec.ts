import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { PendingSurvey, Survey } from '@casewatch/contracts/surveys';
import type { APIRequestContext, Page } from '@playwright/test';
import { call, enterPasscode, openAdmin, signUp, test } from '../src/admin-product.ts';
import { answerWith, holdAnswers, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, type Person } from '../src/fixtures.ts';
import type { StartedProduct } from '../src/start-product.ts';
import { goTo, logOut, tabTo } from '../src/steps.ts';

// One product for all of them, and in it one survey at a time.
test.describe.configure({ mode: 'default' });
test.beforeEach(async ({ admin }) => {
  for (const { survey } of await surveysOf(admin)) {
    expect((await admin.delete(`/api/admin/surveys/${survey.id}`)).ok()).toBe(true);
  }
});

const RESPOND = { method: 'POST', path: '/api/surveys/respond' };
const SKIP = { method: 'POST', path: '/api/surveys/skip' };
const PENDING = { method: 'GET', path: '/api/surveys/pending' };

const QUESTIONS = [
  { questionText: 'What do you use?', questionType: 'checkbox', options: ['Search', 'Alerts', 'Profile'] },
  { questionText: 'Would you recommend it?', questionType: 'radio', options: ['Yes', 'No'] },
  { questionText: 'What is missing?', questionType: 'text', isRequired: false },
] as const;

const survey = (page: Page) => page.getByRole('dialog', { name: 'How is it going?' });

test('an administrator makes a survey, changes and deletes it', async ({ page }) => {
  await openAdmin(page);
  await page.getByRole('tab', { name: 'Surveys' }).click();
  await expect(
    page.getByText('No surveys yet. Create your first survey to gather feedback from users.'),
  ).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create Survey' }).click();
  let dialog = page.getByRole('dialog', { name: 'Create Survey' });
  await expect(dialog.getByLabel('Active')).not.toBeChecked();
  await expect(dialog.getByLabel('Frequency')).toHaveValue('daily');
  await expect(dialog.getByLabel('Show after how many logins')).toHaveValue('1');
  await dialog.getByRole('button', { name: 'Create Survey' }).click();
  await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription('Title is required');
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Title').fill('How is it going?');
  await dialog.getByLabel('Description').fill('Two minutes.');
  await dialog.getByLabel('Show after how many logins').fill('0');
  await dialog.getByRole('button', { name: 'Create Survey' }).click();
  await expect(dialog.getByLabel('Show after how many logins')).toHaveAccessibleDescription(
    'The login number must be at least 1.',
  );
  await dialog.getByLabel('Show after how many logins').fill('');
  await dialog.getByLabel('Start date').fill('2026-01-15');
  await dialog.getByLabel('End date').fill('2036-01-16');
  await dialog.getByRole('button', { name: 'Create Survey' }).click();
  await expectToast(page, 'Survey created successfully');

  const card = page.getByRole('article', { name: 'How is it going?' });
  for (const words of [
    'Inactive',
    'By Login Count',
    'Two minutes.',
    'From: Jan 15, 2026',
    'To: Jan 16, 2036',
  ]) {
    await expect(card.getByText(words, { exact: true })).toBeVisible();
  }
  await expect(card.getByText('After 1 login')).toBeVisible();

  await card.getByRole('button', { name: 'Edit How is it going?' }).click();
  dialog = page.getByRole('dialog', { name: 'Edit Survey' });
  await expect(dialog.getByLabel('Start date')).toHaveValue('2026-01-15');
  await dialog.getByLabel('Active').check();
  await dialog.getByLabel('Frequency').selectOption('Weekly');
  await expect(dialog.getByLabel('Show after how many logins')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Update Survey' }).click();
  await expectToast(page, 'Survey updated successfully');
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expect(card.getByText('Weekly', { exact: true })).toBeVisible();

  await card.getByRole('button', { name: 'Delete How is it going?' }).click();
  dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this survey?' });
  await expect(dialog.getByText(/0 questions and 0 responses go with it/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: 'Delete How is it going?' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Survey deleted successfully');
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Surveys', level: 2 })).toBeFocused();
});

test('an administrator adds questions to a survey, changes and deletes them', async ({ page, admin }) => {
  await call(admin, '/api/admin/surveys', { title: 'How is it going?' });
  await openAdmin(page, '/admin?tab=surveys');
  const card = page.getByRole('article', { name: 'How is it going?' });
  await card.getByRole('button', { name: 'Add Question' }).click();
  let dialog = page.getByRole('dialog', { name: 'Add Question' });
  await expect(dialog.getByLabel('Question type')).toHaveValue('text');
  await expect(dialog.getByLabel('Options')).toHaveCount(0);
  await expect(dialog.getByLabel('Order')).toHaveValue('0');
  await expect(dialog.getByLabel('Required')).toBeChecked();
  await dialog.getByRole('button', { name: 'Add Question' }).click();
  await expect(dialog.getByLabel('Question text')).toHaveAccessibleDescription('Question text is required');
  await dialog.getByLabel('Question text').fill('Would you recommend it?');
  await dialog.getByLabel('Question type').selectOption('Single Choice');
  await dialog.getByLabel('Options').fill('Yes\n\n No \n');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add Question' }).click();
  await expectToast(page, 'Question added successfully');
  await expect(card.getByText('Single Choice, required: Yes, No')).toBeVisible();

  await card.getByRole('button', { name: 'Edit question Would you recommend it?' }).click();
  dialog = page.getByRole('dialog', { name: 'Edit Question' });
  await dialog.getByLabel('Question text').fill('Do you like it?');
  await dialog.getByLabel('Required').uncheck();
  await dialog.getByRole('button', { name: 'Update Question' }).click();
  await expectToast(page, 'Question updated successfully');
  await expect(card.getByText('Single Choice, optional: Yes, No')).toBeVisible();
  await expectAccessible(page);

  await card.getByRole('button', { name: 'Delete question Do you like it?' }).click();
  await page
    .getByRole('dialog', { name: 'Delete this question?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expectToast(page, 'Question deleted successfully');
  await expect(card.getByText('0 questions')).toBeVisible();
});

test('a survey is asked at the login it is due at, answered, and counted in its results', async ({
  page,
  admin,
  ownProduct,
}) => {
  const made = await makeSurvey(admin, { loginTrigger: 3 });
  const person = await signUp(page, ownProduct);
  await page.goto('/');
  await expect(page.getByTestId('user-menu')).toBeVisible();
  expect(await pendingOf(page, ownProduct)).toEqual([]);
  await logInUntilDue(page, ownProduct, person);

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
  expect(await pendingOf(page, ownProduct)).toEqual([]);

  await openAdmin(page, '/admin?tab=surveys');
  await page.getByRole('button', { name: 'Results How is it going?' }).click();
  await expect(page.getByRole('heading', { name: 'Results: How is it going?' })).toBeVisible();
  await expect(page.getByText('Responses', { exact: true }).locator('..')).toContainText('1');
  await expect(page.getByText('Skipped', { exact: true }).locator('..')).toContainText('0');
  for (const [option, count] of [
    ['Search', '1 (100 %)'],
    ['Alerts', '0 (0 %)'],
    ['Profile', '1 (100 %)'],
    ['Yes', '0 (0 %)'],
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
  await expect(page.getByRole('dialog').getByText(/3 questions and 1 response go with it/)).toBeVisible();
});

test('free texts come twenty at a time', { tag: '@any-theme' }, async ({ page, admin }) => {
  const made = await makeSurvey(admin);
  const [owner] = await surveysOf(admin);
  const text = owner?.questions.find(({ questionType }) => questionType === 'text');
  const all = Array.from({ length: 25 }, (_, nth) => ({
    id: `0198c0de-0000-7000-8000-0000000000${10 + nth}`,
    text: `Text number ${nth + 1}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  await page.route(`**/api/admin/survey-questions/${text?.id}/answers*`, (route) => {
    const before = new URL(route.request().url()).searchParams.get('before');
    const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
    return route.fulfill({ json: all.slice(from, from + 20) });
  });
  await page.route(`**/api/admin/surveys/${made.id}/results`, async (route) => {
    const results = await (await route.fetch()).json();
    for (const question of results.questions) question.answered = 25;
    return route.fulfill({ json: results });
  });
  await openAdmin(page, `/admin?tab=surveys&results=${made.id}`);
  await expect(page.getByText('Text number 20', { exact: true })).toBeVisible();
  await expect(page.getByText('Text number 21', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('Text number 25', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
});

for (const [way, close] of [
  ['Skip', (page: Page) => page.getByRole('button', { name: 'Skip' }).click()],
  ['the cross', (page: Page) => survey(page).getByRole('button', { name: 'Close' }).click()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ['a press beside the dialog', (page: Page) => page.mouse.click(4, 4)],
] as const) {
  test(`closing a survey by ${way} is a skip, for the rest of the session`, { tag: '@any-theme' }, async ({
    page,
    admin,
    ownProduct,
  }) => {
    await makeSurvey(admin);
    await signUpDue(page, ownProduct);
    // The skip does not get through, which is told to nobody; this session remembers it all the same.
    await answerWith(page, SKIP, 500, {});
    const skips = recordCalls(page, SKIP);
    const asked = recordCalls(page, PENDING);
    await page.goto('/');
    await expect(survey(page)).toBeVisible();
    await close(page);
    await expect(survey(page)).toHaveCount(0);
    await expect.poll(() => skips.length).toBe(1);
    await expect.poll(() => asked.length).toBe(2);
    await expect(page.locator('.toast-card')).toHaveCount(0);
    await goTo(page, 'nav-profile');
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
    await expect(survey(page)).toHaveCount(0);
    const again = page.waitForResponse((response) => new URL(response.url()).pathname === PENDING.path);
    await page.reload();
    expect(await (await again).json()).toHaveLength(1);
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
    await expect(survey(page)).toHaveCount(0);
  });
}

test('a skipped survey is counted, and comes again when it is due', { tag: '@any-theme' }, async ({
  page,
  admin,
  ownProduct,
}) => {
  const made = await makeSurvey(admin);
  const person = await signUpDue(page, ownProduct);
  await page.goto('/');
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect(survey(page)).toHaveCount(0);
  await expect.poll(async () => (await pendingOf(page, ownProduct)).length).toBe(0);
  const results = await (await admin.get(`/api/admin/surveys/${made.id}/results`)).json();
  expect(results).toMatchObject({ responseCount: 0, skipCount: 1 });
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await logInUntilDue(page, ownProduct, person);
  await page.goto('/');
  await expect(survey(page)).toBeVisible();
});

test('required questions must be answered before anything is sent', async ({ page, admin, ownProduct }) => {
  await makeSurvey(admin);
  await signUpDue(page, ownProduct);
  const sent = recordCalls(page, RESPOND);
  await page.goto('/');
  const dialog = survey(page);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Required Fields', 'Please answer all required questions.');
  await expect(dialog.getByText('Please answer this question.')).toHaveCount(2);
  await expect(dialog.getByLabel('Search')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Search').check();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog.getByText('Please answer this question.')).toHaveCount(1);
  expect(sent).toHaveLength(0);
  await dialog.getByLabel('Yes').check();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Thank you!');
  expect(sent).toHaveLength(1);
});

test('a submission that fails leaves the dialog and the answers', async ({ page, admin, ownProduct }) => {
  await makeSurvey(admin);
  await signUpDue(page, ownProduct);
  await page.goto('/');
  const dialog = survey(page);
  await fillIn(page);
  const fault = await answerWith(page, RESPOND, 503, { error: 'away', code: 'UNAVAILABLE' });
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Error', 'Failed to submit survey. Please try again.');
  await expect(dialog.getByLabel('Alerts')).toBeChecked();
  await expect(dialog.getByPlaceholder('Your answer...')).toHaveValue('Nothing');
  await expectAccessible(page);
  await fault.end();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Thank you!');
});

test('a survey that was changed, closed, deleted or answered meanwhile says so', {
  tag: '@any-theme',
}, async ({ page, context, admin, ownProduct }) => {
  const first = await makeSurvey(admin);
  await signUpDue(page, ownProduct);
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
  await expectToast(page, 'Survey changed', 'This survey is not open any more.');
  await expect(survey(page)).toHaveCount(0);

  await change(admin, `/api/admin/surveys/${second.id}`, { isActive: true });
  await page.reload();
  await fillIn(page);
  expect((await admin.delete(`/api/admin/surveys/${second.id}`)).ok()).toBe(true);
  await submit(page);
  await expectToast(page, 'Survey closed');
  await expect(survey(page)).toHaveCount(0);
});

test('a tall survey keeps within the window and scrolls', async ({ page, admin, ownProduct }) => {
  const made = await makeSurvey(admin);
  for (let nth = 0; nth < 12; nth += 1) {
    await call(admin, '/api/admin/survey-questions', {
      surveyId: made.id,
      questionText: `And number ${nth}?`,
    });
  }
  await signUpDue(page, ownProduct);
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

test('two administrators at once: the later one is told, and loses nothing', async ({ page, admin }) => {
  const made = await makeSurvey(admin);
  await openAdmin(page, '/admin?tab=surveys');
  await page.getByRole('button', { name: 'Edit How is it going?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Survey' });
  await dialog.getByLabel('Description').fill('My description');
  await change(admin, `/api/admin/surveys/${made.id}`, {
    title: 'Their title',
    description: 'Their description',
  });

  await dialog.getByRole('button', { name: 'Update Survey' }).click();
  await expect(dialog.getByText('Somebody else changed this survey meanwhile.')).toBeVisible();
  await expect(dialog.getByText('Their description')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('My description');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use theirs for Title' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Their title');
  await dialog.getByRole('button', { name: 'Update Survey' }).click();
  await expectToast(page, 'Survey updated successfully');
  const card = page.getByRole('article', { name: 'Their title' });
  await expect(card).toContainText('My description');

  await card.getByRole('button', { name: 'Edit question Would you recommend it?' }).click();
  const question = page.getByRole('dialog', { name: 'Edit Question' });
  await question.getByLabel('Options').fill('Yes\nNo\nPerhaps');
  await change(admin, `/api/admin/surveys/${made.id}`, { isActive: false });
  await question.getByRole('button', { name: 'Update Question' }).click();
  await expect(question.getByText(/Save again to keep what stands here\./)).toBeVisible();
  await question.getByRole('button', { name: 'Update Question' }).click();
  await expectToast(page, 'Question updated successfully');

  await change(admin, `/api/admin/surveys/${made.id}`, { title: 'Another title' });
  await card.getByRole('button', { name: 'Delete Their title' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error');
  await expect(page.getByRole('article', { name: 'Another title' })).toContainText('Yes, No, Perhaps');
});

test('a survey is seen as users see it, and duplicated', { tag: '@any-theme' }, async ({ page, admin }) => {
  await makeSurvey(admin);
  await openAdmin(page, '/admin?tab=surveys');
  const sent = recordCalls(page, RESPOND);
  await page.getByRole('button', { name: 'Preview How is it going?' }).click();
  await fillIn(page);
  await survey(page).getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Preview');
  await expect(survey(page)).toHaveCount(0);
  expect(sent).toHaveLength(0);

  await page.getByRole('button', { name: /^Duplicate/ }).click();
  await expectToast(page, 'Survey duplicated');
  await expect(page.getByRole('article')).toHaveCount(2);
  const copy = page.getByRole('article').filter({ has: page.getByText('Inactive', { exact: true }) });
  await expect(copy.getByText('3 questions')).toBeVisible();
});

test('a survey is made and answered with the keyboard alone', { tag: '@any-theme' }, async ({
  page,
  admin,
  ownProduct,
}) => {
  await page.goto('/admin?tab=surveys');
  await enterPasscode(page);
  await tabTo(page, page.getByRole('button', { name: 'Create Survey' }));
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: 'Create Survey' });
  await tabTo(page, editor.getByLabel('Title'));
  await page.keyboard.type('How is it going?');
  await tabTo(page, editor.getByLabel('Active'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Survey created successfully');
  const [made] = await surveysOf(admin);
  await addQuestions(admin, made?.survey.id ?? '');

  await signUpDue(page, ownProduct);
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

async function surveysOf(admin: APIRequestContext): Promise<AdminSurvey[]> {
  return (await admin.get('/api/admin/surveys')).json();
}

/** An active survey with three questions, due at the first login. */
async function makeSurvey(admin: APIRequestContext, facts: Partial<Survey> = {}): Promise<Survey> {
  const made = await call<Survey>(admin, '/api/admin/surveys', {
    title: 'How is it going?',
    description: 'Two minutes.',
    isActive: true,
    ...facts,
  });
  await addQuestions(admin, made.id);
  return made;
}

async function addQuestions(admin: APIRequestContext, surveyId: string): Promise<void> {
  for (const question of QUESTIONS)
    await call(admin, '/api/admin/survey-questions', { surveyId, ...question });
}

async function change(admin: APIRequestContext, path: string, data: unknown): Promise<void> {
  const answer = await admin.patch(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function pendingOf(page: Page, { url }: StartedProduct): Promise<PendingSurvey[]> {
  return (await page.context().request.get(`${url}/api/surveys/pending`)).json();
}

/** A new user whom the one survey is due for; a login is counted a moment after it. */
async function signUpDue(page: Page, product: StartedProduct): Promise<Person> {
  const person = await signUp(page, product);
  await logInUntilDue(page, product, person);
  return person;
}

async function logInUntilDue(
  page: Page,
  product: StartedProduct,
  { email, password }: Person,
): Promise<void> {
  await expect
    .poll(async () => {
      const answer = await page.context().request.post(`${product.url}/api/auth/login`, {
        data: { email, password },
        headers: { origin: product.url },
      });
      expect(answer.ok(), await answer.text()).toBe(true);
      return (await pendingOf(page, product)).length;
    })
    .toBe(1);
}

async function fillIn(page: Page): Promise<void> {
  await survey(page).getByLabel('Alerts').check();
  await survey(page).getByLabel('Yes').check();
  await survey(page).getByPlaceholder('Your answer...').fill('Nothing');
}
