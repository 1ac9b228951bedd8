import { answerWith, caseAnswer, holdAnswers, loseConnection, recordCalls } from '../src/answers.ts';
import {
  agency,
  expect,
  expectAccessible,
  expectToast,
  newReceiptNumber,
  post,
  test,
} from '../src/fixtures.ts';
import { caseCard, checkButton, goTo, lookUp, receiptField } from '../src/steps.ts';

const LOOK_UP = { method: 'GET', path: /^\/api\/case-status\// };
const SAVE = { method: 'POST', path: '/api/saved-cases' };

test('a free user looks a case up, reads it, saves it and finds it again', { tag: '@main-flow' }, async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  await expect(page.getByText('Track your immigration application status in real time')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Check Case Status' })).toBeVisible();
  await expect(page.getByText('Format: 3 letters followed by 10 numbers')).toBeVisible();
  await expect(page.getByText(/unofficial tool/)).toBeVisible();
  const officialSite = page.getByRole('link', { name: 'USCIS Case Status website' });
  await expect(officialSite).toHaveAttribute('href', /^https:\/\/egov\.uscis\.gov/);
  await receiptField(page).fill('  eac9999103403 ');
  await expect(receiptField(page)).toHaveValue('EAC9999103403');
  await checkButton(page).click();
  const card = caseCard(page, 'EAC9999103403');
  await expect(card).toContainText('I-130');
  await expect(card).toContainText('Case Was Approved');
  await expect(card.getByRole('heading', { name: 'Case History' })).toBeVisible();
  await expectAccessible(page);

  const saves = recordCalls(page, SAVE);
  await card.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Case saved', 'You can now monitor this case for status changes');
  await expect(card.getByRole('button', { name: 'Saved' })).toBeVisible();
  expect(saves[0]?.postDataJSON()).toEqual({ receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' });

  await goTo(page, 'nav-saved-cases');
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();
  await page.reload();
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();

  await goTo(page, 'nav-home');
  await lookUp(page, 'EAC9999103403');
  await card.getByRole('button', { name: 'Saved' }).click();
  await expectToast(page, 'Case removed', 'Case has been removed from your saved list');
  await expect(card.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
});

test('the button waits for five characters; a wrong number is told', async ({ page, freeUser: _ }) => {
  await page.goto('/');
  await receiptField(page).fill('EAC9');
  await expect(checkButton(page)).toBeDisabled();
  await receiptField(page).fill('EAC99');
  await expect(checkButton(page)).toBeEnabled();
  await checkButton(page).click();
  await expect(page.getByText('Invalid receipt number format')).toBeVisible();
  await expectAccessible(page);
});

test('while the answer is on its way the button rests and the place of the card is kept', async ({
  page,
  freeUser: _,
}) => {
  const answer = await holdAnswers(page, LOOK_UP);
  await page.goto('/');
  await lookUp(page, 'EAC9999103403');
  await expect(page.getByRole('button', { name: 'Checking...' })).toBeDisabled();
  const results = page.getByRole('region', { name: 'Results' });
  await expect(results).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  answer.release();
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();
  await expect(results).toHaveAttribute('aria-busy', 'false');
  await expect(checkButton(page)).toBeEnabled();
});

test('the card shows every fact of the case, with dates as people write them', async ({
  page,
  freeUser: _,
}) => {
  const answer = caseAnswer('IOE0123456780', {
    caseStatus: 'Case Was Denied',
    formType: 'I-485',
    applicationOrPetitionType: 'Application to Adjust Status',
    caseSubstatus: 'Decision',
    channelType: 'Online',
    caseCreationDate: '09-05-2023 14:28:46',
    caseLastUpdated: '2024-02-29',
    histCaseData: [
      { caseStatus: 'Case Was Denied', statusHistDate: '2024-02-29 10:00:00' },
      { caseStatus: 'Case Was Received', statusHistDate: 'the fifth of September' },
    ],
  });
  await answerWith(page, LOOK_UP, 200, answer);
  await page.goto('/');
  await lookUp(page, 'IOE0123456780');
  const card = caseCard(page, 'IOE0123456780');
  for (const [name, value] of [
    ['Form Type', 'I-485'],
    ['Application/Petition Type', 'Application to Adjust Status'],
    ['Substatus', 'Decision'],
    ['Channel Type', 'Online'],
    ['Creation Date', 'Sep 5, 2023'],
    ['Last Updated', 'Feb 29, 2024'],
  ] as const) {
    const fact = card.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    await expect(fact.getByRole('definition')).toHaveText(value);
  }
  await expect(card).toContainText('We received your case.');
  await expect(card.locator('ol').getByRole('listitem')).toHaveText([
    /Case Was Denied\s*Feb 29, 2024/,
    /Case Was Received\s*the fifth of September/,
  ]);
  const badge = card.locator('.status-badge');
  await expect(badge).toHaveText('Case Was Denied');
  await expect(badge).toHaveClass(/status-badge-destructive/);
  await expect(badge.locator('svg')).toHaveCount(1);
  await expectAccessible(page);
});

test('links of a description open apart, and markup in it is only text', { tag: '@any-theme' }, async ({
  page,
  freeUser: _,
}) => {
  const caseDescription = 'See our site or this page. <img src=x onerror="document.title=\'taken\'">';
  await answerWith(
    page,
    LOOK_UP,
    200,
    caseAnswer('IOE0123456780', {
      caseDescription,
      descriptionLinks: [
        { text: 'our site', href: 'https://www.uscis.gov/addresschange' },
        { text: 'this page', href: "javascript:document.title='taken'" },
      ],
    }),
  );
  await page.goto('/');
  await lookUp(page, 'IOE0123456780');
  const card = caseCard(page, 'IOE0123456780');
  await expect(card.getByText(caseDescription)).toBeVisible();
  await expect(card.getByRole('link')).toHaveCount(1);
  const link = card.getByRole('link', { name: 'our site' });
  await expect(link).toHaveAttribute('href', 'https://www.uscis.gov/addresschange');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(card.locator('img')).toHaveCount(0);
  await expect(page).toHaveTitle(/Casewatch/);
});

test('a number the agency does not recognise is said so, without inventing a status', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  await lookUp(page, 'WAC1234567891');
  await expect(page.getByRole('heading', { name: 'Receipt number not recognized' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectAccessible(page);
});

test('a failure of the agency is told, and trying again brings the status', async ({
  page,
  request,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  // One look-up asks twice before it gives up.
  await request.put(`${agency()}/__control/faults`, {
    data: { mode: 'unavailable', receiptNumber, count: 2 },
  });
  await page.goto('/');
  await lookUp(page, receiptNumber);
  await expect(page.locator('.toast-card')).toContainText(/temporarily unavailable/i);
  const notice = page.getByRole('region', { name: 'Status not available right now' });
  await expect(notice).toContainText(/temporarily unavailable/i);
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(caseCard(page, receiptNumber)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('an older answer is shown with its age while the agency gives none', async ({
  page,
  request,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  await page.goto('/');
  await lookUp(page, receiptNumber);
  const card = caseCard(page, receiptNumber);
  const status = await card.locator('.status-badge').innerText();
  await request.put(`${agency()}/__control/faults`, { data: { mode: 'invalid-json', receiptNumber } });
  await checkButton(page).click();
  await expect(card).toContainText(
    /Shown from [A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M \(just now\)/,
  );
  await expect(card).toContainText(/temporarily unavailable/i);
  await expect(card.locator('.status-badge')).toHaveText(status);
  await expectAccessible(page);
  await request.put(`${agency()}/__control/faults`, { data: { mode: 'none', receiptNumber } });
  await checkButton(page).click();
  await expect(card).not.toContainText('Shown from');
});

test('a look-up that fails says why in the words of the server, else in its own', {
  tag: '@any-theme',
}, async ({ page, freeUser: _ }) => {
  await page.goto('/');
  for (const [body, words] of [
    [{ error: 'The agency is on holiday', message: 'other' }, 'The agency is on holiday'],
    [{ message: 'Out of order' }, 'Out of order'],
    [{}, 'Failed to fetch case status'],
  ] as const) {
    const fault = await answerWith(page, LOOK_UP, 500, body);
    await lookUp(page, 'EAC9999103403');
    await expectToast(page, 'Error', words);
    await fault.end();
  }
  await expect(page.locator('.toast-card')).toHaveClass(/destructive/);
  await loseConnection(page, LOOK_UP);
  await lookUp(page, 'EAC9999103403');
  await expectToast(page, 'Error', 'Failed to fetch case status. Please try again.');
});

test('a save and a removal that fail say so and change nothing on the screen', { tag: '@any-theme' }, async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  await lookUp(page, 'EAC9999103403');
  const card = caseCard(page, 'EAC9999103403');
  const save = card.getByRole('button', { name: 'Save', exact: true });
  const saved = card.getByRole('button', { name: 'Saved' });
  const sent = recordCalls(page, SAVE);
  const noSave = await answerWith(page, SAVE, 500, { error: 'Out of order' });
  await save.click();
  await expectToast(page, 'Error', 'Failed to save case');
  await expect(save).toBeVisible();
  expect(sent, 'a write is not tried again by itself').toHaveLength(1);
  await noSave.end();
  await save.click();
  await expect(saved).toBeVisible();

  await answerWith(page, { method: 'DELETE', path: '/api/saved-cases/EAC9999103403' }, 500, {});
  await saved.click();
  await expectToast(page, 'Error', 'Failed to remove case');
  await expect(saved).toBeVisible();
});

test('a case that another tab has saved meanwhile counts as saved', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  await page.goto('/');
  await lookUp(page, 'EAC9999103403');
  const card = caseCard(page, 'EAC9999103403');
  await expect(card.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await post(context, '/api/saved-cases', { receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' });
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(card.getByRole('button', { name: 'Saved' })).toBeVisible();
});

test('the fourth save of a free user offers the upgrade', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  for (const receiptNumber of ['WAC0000000000', 'WAC0000000002', 'WAC0000000004']) {
    await post(context, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  }
  await page.goto('/');
  await lookUp(page, 'EAC9999103403');
  await page.getByRole('article').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Saving more than 3 cases is a Pro feature.');
  // Its keys work from the moment it has the focus, some milliseconds after its first paint.
  await expect(page.getByRole('dialog')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('article').getByRole('button', { name: 'Save', exact: true })).toBeVisible();
});

test('a free user who selects Bulk Search is offered the upgrade and stays where he is', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  const bulk = page.getByRole('tab', { name: 'Bulk Search' });
  await bulk.click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Pro' });
  await expect(dialog).toContainText(
    'Bulk Search is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
  );
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Bulk search up to 10 cases at once',
    'Unlimited saved cases',
    'Automated daily, weekly, or monthly monitoring',
    'Instant status change notifications',
    'Priority support',
  ]);
  await expect(dialog).toContainText('$9/month');
  await expect(dialog).toContainText('Cancel anytime');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Maybe Later' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Single Case' })).toHaveAttribute('aria-selected', 'true');
  await expect(receiptField(page)).toBeVisible();

  await bulk.click();
  await dialog.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page).toHaveURL(/\/upgrade$/);
});
