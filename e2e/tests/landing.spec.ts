import { expect, expectAccessible, test } from '../src/fixtures.ts';

test('the landing page says everything before scripts run', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  await expect(page.getByText('Automated Case Monitoring • Always Up to Date')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', '/auth');
  for (const feature of ['$0', '$9', 'Most Popular', 'Start Free', 'Start Pro Trial', '14-day free trial']) {
    await expect(page.getByText(feature).first()).toBeVisible();
  }
  await context.close();
});

test('it is accessible, leads to /auth, and shows the pricing on request', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto('/somewhere/unknown');
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole('button', { name: 'View Pricing' })
    .or(page.getByRole('link', { name: 'View Pricing' }))
    .click();
  await expect(page.getByText('Most Popular')).toBeInViewport();
  for (const name of ['Start Free', 'Start Pro Trial']) {
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', '/auth');
  }
  expect(faults).toEqual([]);
});

test('the disclaimer names the agency and links to its official site', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText(/unofficial|not affiliated/i);
  await expect(footer.getByRole('link').first()).toHaveAttribute('href', /^https:\/\/egov\.uscis\.gov/);
});
