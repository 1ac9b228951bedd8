import { expect, expectAccessible, test } from '../src/fixtures.ts';

const FEATURES: readonly [title: string, text: RegExp][] = [
  ['Single & bulk search', /up to 10 at once/],
  ['Save your cases', /nickname/],
  ['Automated monitoring', /daily, weekly, or monthly/],
  ['Real-time notifications', /status changes/],
  ['Case history', /timeline/],
  ['Secure & private', /do not sell or publish/],
];
const FREE = [
  '$0',
  'Single case lookup',
  'Up to 3 saved cases',
  'Manual checks',
  'Case history timeline',
  'Secure storage',
];
const PRO = [
  '$9',
  'Most Popular',
  '14-day free trial. Cancel anytime.',
  'Bulk search of up to 10 cases at once',
  'Unlimited saved cases',
  'Automated monitoring: daily, weekly, or monthly',
  'Instant status change notifications',
  'Priority support',
  'Export of case data',
];

test('the landing page says everything before scripts run', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  await expect(page.getByText('Automated Case Monitoring • Always Up to Date')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/track .*case with confidence/i);
  await expect(page.getByText('Immigration Lookup')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', '/auth#sign-up');
  for (const [title, text] of FEATURES) {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    await expect(card).toContainText(text);
  }
  for (const [plan, benefits] of [
    ['Free', FREE],
    ['Pro', PRO],
  ] as const) {
    const card = page.getByRole('article', { name: plan, exact: true });
    for (const benefit of benefits) await expect(card).toContainText(benefit);
  }
  await expect(page.getByRole('link', { name: 'Create Your Free Account' })).toHaveAttribute(
    'href',
    '/auth#sign-up',
  );
  await context.close();
});

test('it is accessible, leads to /auth, and shows the pricing on request', { tag: '@phone' }, async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/somewhere/unknown');
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View Pricing' }).click();
  await expect(page.getByText('Most Popular')).toBeInViewport();
  const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await hrefOf('Start Free')).toBe('/auth#sign-up');
  // Without a trial (TRIAL_DAYS=0) none is promised; web/test/plans.test.tsx shows the page with one.
  expect(await hrefOf('Start Pro')).toBe('/auth?next=%2Fupgrade');
  expect(errors).toEqual([]);
  await page.getByRole('link', { name: 'Start Free', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
});

test('the disclaimer names the agency and links to its official site', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText(/unofficial tool/i);
  await expect(footer).toContainText(/powered by the uscis case status api/i);
  await expect(footer).toContainText(/retrieved from uscis servers and is subject to their terms/i);
  await expect(footer.getByRole('link').first()).toHaveAttribute('href', /^https:\/\/egov\.uscis\.gov/);
});

test('Spanish is one link without scripts, and the sign-in follows', async ({ browser, baseURL, page }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const unscripted = await context.newPage();
  await unscripted.goto(baseURL ?? '');
  await unscripted.getByRole('link', { name: 'Español' }).click();
  await expect(unscripted.getByRole('heading', { level: 1 })).toContainText('Siga su caso');
  await unscripted.goto(`${baseURL}/saved-cases`);
  await expect(unscripted.locator('html')).toHaveAttribute('lang', 'es');
  await context.close();

  await page.goto('/');
  await page.getByRole('link', { name: 'Español' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Iniciar sesión' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
});

test('a font that arrives after the first paint moves nothing on the page', {
  tag: '@phone',
}, async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((shifts) => {
      for (const _ of shifts.getEntries()) performance.mark('moved');
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const painted = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await painted.promise;
    await route.continue();
  });
  const font = page.waitForResponse('**/*.woff2');
  await page.goto('/', { waitUntil: 'commit' });
  const marks = (name: string) =>
    page.evaluate((wanted) => performance.getEntriesByName(wanted).length, name);
  await expect.poll(() => marks('first-contentful-paint')).toBe(1);
  painted.resolve();
  await (await font).finished();
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Drawn with the font, if it is used, and observed.
    for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  expect(await marks('moved')).toBe(0);
});
