import { STATUSES } from '@casewatch/contracts/status-guide';
import { expect, expectAccessible, newReceiptNumber, test } from '../src/fixtures.ts';
import { move } from '../src/steps.ts';

test('the status guide needs no script and no account: every title is in its HTML, in both languages', async ({
  browser,
  baseURL,
  request,
}) => {
  const titles = STATUSES.flatMap((row) => Object.entries(row.titles));
  const texts = async (path: string) =>
    (await (await request.get(path, { headers: { accept: 'text/html' } })).text()).replaceAll('&#x27;', "'");
  const [english, spanish] = [await texts('/guide'), await texts('/guide?lang=es')];
  expect(titles.filter(([title]) => !english.includes(`>${title}<`))).toEqual([]);
  expect(
    titles.filter(([title, name]) => !spanish.includes(`>${title}<`) || !spanish.includes(`>${name}<`)),
  ).toEqual([]);

  const context = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('link', { name: 'Every status is explained in the status guide' }).click();
  await expect(page).toHaveURL('/guide');
  await expect(page).toHaveTitle('What your USCIS case status means | Casewatch');
  await expect(
    page.getByText('If a USCIS notice says something different, follow the notice.'),
  ).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByTestId('theme-toggle')).toBeHidden();
  await page.getByRole('link', { name: 'Interview', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Interview Was Scheduled' })).toContainText('Needs action');
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Qué significa el estatus de su caso de USCIS',
  );
  await context.close();
});

test('a case leads to its entry of the guide, which searches, prints, and leads back to the lookup', {
  tag: '@phone',
}, async ({ page, freeUser: _, product }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Interview Was Rescheduled');
  await page.goto(`/cases/${receiptNumber}`);
  await page.getByRole('link', { name: 'This status in the status guide' }).click();
  await expect(page).toHaveURL('/guide#interview-was-rescheduled');
  await expect(page.locator(':target')).toHaveText('Interview Was Rescheduled');
  await expect(page.locator(':target')).toBeFocused();
  await expect(page.locator(':target')).toBeInViewport();
  await page.getByRole('searchbox').fill('receipt emailed');
  await expect(page.getByRole('article', { name: 'Case Was Received' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Interview Was Scheduled' })).toBeHidden();
  // All of the page, which takes longer: web/test/guide.test.tsx.
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('searchbox')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Look up your case' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});
