import { randomUUID } from 'node:crypto';
import { enterPasscode, openAdmin, test } from '../src/admin.ts';
import { isNarrow, lookUp, refreshUntil, rows, signedUp, textOf } from '../src/admin-steps.ts';
import { answerWith } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newReceiptNumber } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { PASSCODE } from '../src/start-product.ts';
import { tabTo } from '../src/steps.ts';

const LOGS = { method: 'GET', path: '/api/admin/logs' };

test('a call is a row of the log, and the row opens all that is known of it', { tag: '@phone' }, async ({
  page,
  playwright,
  product,
}) => {
  const receiptNumber = newReceiptNumber();
  await lookUp(await signedUp(playwright, product, 'Wilhelmina'), receiptNumber);
  await openAdmin(page, `/admin?receiptNumber=${receiptNumber}`);
  await expect(page.getByRole('tab', { name: 'API Logs' })).toHaveAttribute('aria-selected', 'true');
  await refreshUntil(page, 1);
  if (!isNarrow(page)) {
    await expect(page.getByRole('columnheader').filter({ visible: true })).toHaveText([
      'Timestamp',
      'Endpoint',
      'Receipt Numbers',
      'User Name',
      'Source',
      'Status',
      'Result',
    ]);
  }
  const row = rows(page);
  for (const words of [receiptNumber, 'Wilhelmina', 'Website', '200', 'Success']) {
    await expect(row).toContainText(words);
  }
  await expectAccessible(page);

  await row.click();
  const dialog = page.getByRole('dialog', { name: 'API log details' });
  for (const name of ['Timestamp', 'Endpoint', 'Status Code', 'Result', 'Source', 'User ID']) {
    await expect(dialog.getByText(name, { exact: true })).toBeVisible();
  }
  for (const words of ['Website', 'Success', receiptNumber, 'Wilhelmina']) {
    await expect(dialog.getByText(words, { exact: true }).first()).toBeVisible();
  }
  await expect(dialog.getByRole('heading', { name: 'Request Payload' })).toBeVisible();
  await expect(dialog.locator('pre').last()).toContainText('case_status');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(row.getByRole('button')).toBeFocused();
});

test('more than fifty calls have pages', async ({ page, playwright, product }) => {
  const pro = await playwright.request.newContext({ baseURL: product.url });
  await post(pro, '/api/auth/login', { email: 'pro@demo.test', password: 'demo-demo-demo' });
  for (let turn = 0; turn < 6; turn += 1) {
    await post(pro, '/api/case-status/bulk', {
      receiptNumbers: Array.from({ length: 10 }, newReceiptNumber),
    });
  }
  await openAdmin(page, '/admin?user=Priya');
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText(/^Showing 1 to 50 of \d+ logs$/)).toBeVisible({ timeout: 1_000 });
    await expect(page.getByText(/of (6\d|[7-9]\d|\d{3,}) logs$/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(rows(page)).toHaveCount(50);
  await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  const first = await rows(page).first().textContent();

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^Showing 51 to \d+ of \d+ logs$/)).toBeVisible();
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible();
  await expect(page).toHaveURL(/[?&]page=2/);
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible();
  expect(await rows(page).first().textContent()).toBe(first);

  // A page that is not there leads to the last that is.
  await page.goto('/admin?user=Priya&page=999');
  await enterPasscode(page);
  await expect(page.getByText(/^Page (\d+) of \1$/)).toBeVisible();

  // Everything on one page: nothing to page through.
  await page.goto('/admin?receiptNumber=XXX0000000000');
  await enterPasscode(page);
  await expect(page.getByText('No API logs found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0);
});

test('filters are in the address, and the exports carry them', { tag: '@phone' }, async ({
  page,
  playwright,
  product,
}) => {
  const [mine, other] = [newReceiptNumber(), newReceiptNumber()];
  // Of this run of the test alone: the log keeps the lookups of other tests.
  const firstName = `Bartholomew${randomUUID().slice(0, 8)}`;
  const user = await signedUp(playwright, product, firstName);
  await lookUp(user, mine);
  await lookUp(user, other);
  await openAdmin(page, `/admin?user=${firstName.toLowerCase()}`);
  await refreshUntil(page, 2);

  await page.getByLabel('Receipt number').fill(mine);
  await page.getByLabel('Source').selectOption('Website');
  await page.getByLabel('Result').selectOption('Success');
  await page.getByLabel('Status code').fill('200');
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(mine);
  await expectAccessible(page);
  for (const part of [
    `receiptNumber=${mine}`,
    'source=user',
    'success=true',
    'statusCode=200',
    'from=2020',
  ]) {
    expect(page.url()).toContain(part);
  }

  await page.reload();
  await enterPasscode(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel('Receipt number')).toHaveValue(mine);
  await expect(page.getByLabel('From')).toHaveValue('2020-01-01T00:00');

  for (const format of ['CSV', 'NDJSON']) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export ${format}` }).click();
    const text = await textOf(await download);
    expect(text).toContain(mine);
    expect(text).not.toContain(other);
  }

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Receipt number')).toHaveValue('');
  expect(new URL(page.url()).search).toBe('');
});

test('the live tail brings new calls above without moving what is read, and says how many', async ({
  page,
  playwright,
  product,
}) => {
  const firstName = `Zebulon${randomUUID().slice(0, 8)}`;
  const user = await signedUp(playwright, product, firstName);
  await lookUp(user, newReceiptNumber());
  await openAdmin(page, `/admin?user=${firstName.toLowerCase()}`);
  await refreshUntil(page, 1);
  await page.getByRole('switch', { name: 'Live tail' }).click();
  await expect(page.getByText('Waiting for new calls...')).toBeVisible();
  await rows(page).first().scrollIntoViewIfNeeded();
  const read = await rows(page).first().elementHandle();
  const topOf = async () => (await read?.boundingBox())?.y ?? Number.NaN;
  const before = await topOf();

  const [one, two] = [newReceiptNumber(), newReceiptNumber()];
  await lookUp(user, one);
  await lookUp(user, two);
  await expect(page.getByText('2 new calls')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  expect(Math.abs((await topOf()) - before)).toBeLessThan(1);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Show 2 new' }).click();
  await expect(rows(page).first()).toContainText(two);
  await expect(rows(page).first().getByRole('button')).toBeFocused();
  await expect(page.getByRole('button', { name: /^Show/ })).toHaveCount(0);

  await page.getByRole('switch', { name: 'Live tail' }).click();
  await expect(page.getByText('2 new calls')).toHaveCount(0);
});

test('the overview shows the last 24 hours as charts and as numbers', { tag: '@phone' }, async ({
  page,
  playwright,
  product,
}) => {
  await lookUp(await signedUp(playwright, product), newReceiptNumber());
  await openAdmin(page);
  const overview = page.getByRole('region', { name: 'Last 24 hours' });
  for (const name of [
    /^Lookups by the hour/,
    /^Failures by the hour/,
    /^(?:The agency |No calls to the agency)/,
    /^Latency by the hour/,
    /are used$/,
  ]) {
    await expect(overview.getByRole('img', { name })).toBeVisible();
  }
  await expect(overview.getByText(/^[\d,]+ of [\d,]+ calls$/)).toBeVisible();
  await overview.getByText(/^Causes, most looked up/).click();
  for (const name of [/^Failures by cause/, 'Most looked up']) {
    await expect(overview.getByRole('heading', { name })).toBeVisible();
  }
  await expect(overview.getByRole('row')).toHaveCount(25);
  await expectAccessible(page);
});

test('a log that fails to load says so and can be loaded again', async ({ page }) => {
  const fault = await answerWith(page, LOGS, 500, {});
  await openAdmin(page);
  await expectToast(page, 'Failed to fetch logs');
  await fault.end();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('the admin area is used with the keyboard alone', async ({ page, playwright, product }) => {
  const receiptNumber = newReceiptNumber();
  await lookUp(await signedUp(playwright, product), receiptNumber);
  await page.goto(`/admin?receiptNumber=${receiptNumber}`);
  await tabTo(page, page.getByLabel('Passcode'));
  await page.keyboard.type(PASSCODE);
  await page.keyboard.press('Enter');
  await refreshUntil(page, 1);
  await tabTo(page, rows(page).getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'API log details' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rows(page).getByRole('button')).toBeFocused();
  await page.getByRole('tab', { name: 'API Logs' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('tab', { name: 'Surveys' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Surveys', level: 2 })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Create survey' }));
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: 'Create survey' });
  await tabTo(page, editor.getByLabel('Title'));
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create survey' })).toBeFocused();
});
