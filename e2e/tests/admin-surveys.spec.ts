import { openAdmin, test } from '../src/admin.ts';
import { recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { change, fillIn, makeSurvey, survey } from '../src/survey-steps.ts';

const RESPOND = { method: 'POST', path: '/api/surveys/respond' };

test('an administrator makes a survey, changes and deletes it', async ({ page }) => {
  await openAdmin(page);
  await page.getByRole('tab', { name: 'Surveys' }).click();
  await expect(
    page.getByText('No surveys yet. Create your first survey to gather feedback from users.'),
  ).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create survey' }).click();
  let dialog = page.getByRole('dialog', { name: 'Create survey' });
  await expect(dialog.getByLabel('Active')).not.toBeChecked();
  await expect(dialog.getByLabel('Frequency')).toHaveValue('daily');
  await expect(dialog.getByLabel('Show after how many logins')).toHaveValue('1');
  await dialog.getByRole('button', { name: 'Create survey' }).click();
  await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription('Title is required');
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Title').fill('How is it going?');
  await dialog.getByLabel('Description').fill('Two minutes.');
  await dialog.getByLabel('Show after how many logins').fill('0');
  await dialog.getByRole('button', { name: 'Create survey' }).click();
  await expect(dialog.getByLabel('Show after how many logins')).toHaveAccessibleDescription(
    'The login number must be at least 1.',
  );
  await dialog.getByLabel('Show after how many logins').fill('');
  await dialog.getByLabel('Start date').fill('2026-01-15');
  await dialog.getByLabel('End date').fill('2036-01-16');
  await dialog.getByRole('button', { name: 'Create survey' }).click();
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
  dialog = page.getByRole('dialog', { name: 'Edit survey' });
  await expect(dialog.getByLabel('Start date')).toHaveValue('2026-01-15');
  await dialog.getByLabel('Active').check();
  await dialog.getByLabel('Frequency').selectOption('Weekly');
  await expect(dialog.getByLabel('Show after how many logins')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Update survey' }).click();
  await expectToast(page, 'Survey updated successfully');
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expect(card.getByText('Weekly', { exact: true })).toBeVisible();

  await card.getByRole('button', { name: 'Delete How is it going?' }).click();
  dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this survey?' });
  await expect(dialog.getByText(/This also deletes 0 questions and 0 responses/)).toBeVisible();
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

test('an administrator adds questions to a survey, changes and deletes them', { tag: '@phone' }, async ({
  page,
  admin,
}) => {
  await post(admin, '/api/admin/surveys', { title: 'How is it going?' });
  await openAdmin(page, '/admin?tab=surveys');
  const card = page.getByRole('article', { name: 'How is it going?' });
  await card.getByRole('button', { name: 'Add question' }).click();
  let dialog = page.getByRole('dialog', { name: 'Add question' });
  await expect(dialog.getByLabel('Question type')).toHaveValue('text');
  await expect(dialog.getByLabel('Options')).toHaveCount(0);
  await expect(dialog.getByLabel('Order')).toHaveValue('0');
  await expect(dialog.getByLabel('Required')).toBeChecked();
  await dialog.getByRole('button', { name: 'Add question' }).click();
  await expect(dialog.getByLabel('Question text')).toHaveAccessibleDescription('Question text is required');
  await dialog.getByLabel('Question text').fill('Would you recommend it?');
  await dialog.getByLabel('Question type').selectOption('Single Choice');
  await dialog.getByLabel('Options').fill('Yes\n\n No \n');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add question' }).click();
  await expectToast(page, 'Question added successfully');
  await expect(card.getByText('Single Choice, required: Yes, No')).toBeVisible();

  await card.getByRole('button', { name: 'Edit question Would you recommend it?' }).click();
  dialog = page.getByRole('dialog', { name: 'Edit question' });
  await dialog.getByLabel('Question text').fill('Do you like it?');
  await dialog.getByLabel('Required').uncheck();
  await dialog.getByRole('button', { name: 'Update question' }).click();
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

test('two administrators at once: the later one sees a notice, and loses nothing', async ({
  page,
  admin,
}) => {
  const made = await makeSurvey(admin);
  await openAdmin(page, '/admin?tab=surveys');
  await page.getByRole('button', { name: 'Edit How is it going?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit survey' });
  await dialog.getByLabel('Description').fill('My description');
  await change(admin, `/api/admin/surveys/${made.id}`, {
    title: 'Their title',
    description: 'Their description',
  });

  await dialog.getByRole('button', { name: 'Update survey' }).click();
  await expect(dialog.getByText('Someone else changed this survey.')).toBeVisible();
  await expect(dialog.getByText('Their description')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('My description');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use theirs for Title' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Their title');
  await dialog.getByRole('button', { name: 'Update survey' }).click();
  await expectToast(page, 'Survey updated successfully');
  const card = page.getByRole('article', { name: 'Their title' });
  await expect(card).toContainText('My description');

  await card.getByRole('button', { name: 'Edit question Would you recommend it?' }).click();
  const question = page.getByRole('dialog', { name: 'Edit question' });
  await question.getByLabel('Options').fill('Yes\nNo\nPerhaps');
  await change(admin, `/api/admin/surveys/${made.id}`, { isActive: false });
  await question.getByRole('button', { name: 'Update question' }).click();
  await expect(question.getByText(/Save again to keep your version\./)).toBeVisible();
  await question.getByRole('button', { name: 'Update question' }).click();
  await expectToast(page, 'Question updated successfully');

  await change(admin, `/api/admin/surveys/${made.id}`, { title: 'Another title' });
  await card.getByRole('button', { name: 'Delete Their title' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Error');
  await expect(page.getByRole('article', { name: 'Another title' })).toContainText('Yes, No, Perhaps');
});

test('a survey is seen as users see it, and duplicated', async ({ page, admin }) => {
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
