import type { Page } from '@playwright/test';
import { openAdmin } from '../src/admin.ts';
import { textOf } from '../src/admin-steps.ts';
import { test as base, expect, expectAccessible } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { startRecordedAgency } from '../src/recorded-agency.ts';
import { startProduct } from '../src/start-product.ts';
import { subscribe } from '../src/subscribe.ts';

const CLIENT = { clientId: 'e2e-client-id', clientSecret: 'e2e-client-secret' };
const HEADER = 'e2e-header-value';
const NUMBER = 'EAC9999103403';
const WATCHED = 'EAC9999103404';
/** Of the fixture's product; a batch that comes too early waits for the next one. */
const DAY_MS = 8_640;

interface OwnAgency {
  agency: Awaited<ReturnType<typeof startRecordedAgency>>;
}

/** With an agency and a product of its own, which has been assigned a demo id. */
const test = base.extend<object, OwnAgency>({
  agency: [
    async ({ browserName: _none }, use) => {
      const agency = await startRecordedAgency(CLIENT);
      await use(agency);
      await agency.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  product: [
    async ({ agency }, use) => {
      const product = await startProduct({
        AGENCY_BASE_URL: agency.url,
        AGENCY_CLIENT_ID: CLIENT.clientId,
        AGENCY_CLIENT_SECRET: CLIENT.clientSecret,
        AGENCY_DEMO_ID: '4711',
        AGENCY_HEADERS: JSON.stringify({ 'X-Key': HEADER }),
        AGENCY_CALLS_PER_SECOND: '5',
        // The scheduler leaves what becomes due to the button.
        MONITORING_POLL_MS: '60000',
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const steps = (page: Page) => page.getByRole('list', { name: 'Record, newest first' }).locator('> li');

/** Presses a button and returns what the page says of the step. */
async function run(page: Page, name: string): Promise<string> {
  const before = await steps(page).count();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(steps(page)).toHaveCount(before + 1);
  return (await page.getByRole('status').filter({ hasText: 'Step' }).textContent()) ?? '';
}

test("an administrator plays the agency's checklist, and the record holds every case and no secret", async ({
  page,
  playwright,
  product,
  agency,
}) => {
  test.setTimeout(120_000);
  const answers: Promise<string>[] = [];
  page.on('response', (response) => answers.push(response.text().catch(() => '')));
  const watcher = await playwright.request.newContext({ baseURL: product.url });
  await post(watcher, '/api/auth/signup', {
    email: `watcher-${Date.now()}@example.test`,
    password: 'correct horse 1',
    firstName: 'Ada',
    lastName: 'Watcher',
  });
  await subscribe(watcher, product);
  await post(watcher, '/api/saved-cases', { receiptNumber: WATCHED, monitoringFrequency: 'daily' });

  await openAdmin(page, '/admin?tab=demonstration');
  await page.getByLabel('Receipt Number').fill('EAC12');
  await page.getByRole('button', { name: 'Valid', exact: true }).click();
  await expect(page.getByText('Invalid receipt number format. Nothing was called.')).toBeVisible();
  await page.getByLabel('Receipt Number').fill(NUMBER);
  const results = [await run(page, 'Valid'), await run(page, 'Not recognized'), await run(page, 'Malformed')];
  results.push(await run(page, 'Unauthorized'));
  await agency.control('PUT', 'faults', { mode: 'rate-limited', count: 1 });
  results.push(await run(page, 'Throttled'));
  await agency.control('PUT', 'limits', { openingHours: 'sandbox' });
  await agency.control('POST', 'clock', { advanceMs: msToSunday() });
  results.push(await run(page, 'Unavailable'));
  await agency.control('PUT', 'limits', { openingHours: 'always' });
  expect(results).toEqual([
    'Step 1, Valid. Shown: the agency answered 200.',
    'Step 2, Not recognized. Shown: the agency answered 404.',
    'Step 3, Malformed. Shown: the agency answered 422.',
    'Step 4, Unauthorized. Shown: the agency answered 401.',
    'Step 5, Throttled. Shown: the agency answered 429.',
    'Step 6, Unavailable. Shown: the agency answered 503.',
  ]);
  await expect(async () => {
    expect(await run(page, 'Scheduled batch')).toMatch(/1 check started\. Came back: 1 with a status\.$/);
  }).toPass({ intervals: [DAY_MS], timeout: 40_000 });
  await expect(
    steps(page)
      .first()
      .getByText(/The next check is due/),
  ).toBeVisible();
  // The provoked errors don't affect other users, and the case that was shown is stored.
  expect((await watcher.get(`/api/case-status/${NUMBER}`)).status()).toBe(200);
  await expectAccessible(page);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('tab', { name: 'Audit trail' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Valid', exact: true })).toBeHidden();
  const printed = await page.locator('body').innerText();
  for (const name of [
    'Valid',
    'Not recognized',
    'Malformed',
    'Unauthorized',
    'Throttled',
    'Unavailable',
    'Scheduled batch',
  ]) {
    expect(printed).toContain(`: ${name}`);
  }
  expect(printed).toContain('demo_id: 4711');
  expect(printed).toContain('authorization: Bearer [masked]');
  await page.emulateMedia({ media: 'screen' });

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const file = await textOf(await download);
  const record: { steps: { kind: string; call?: Recorded; batch?: { startedAt: string } }[] } =
    JSON.parse(file);
  const calls = record.steps.flatMap(({ call }) => call ?? []);
  expect(
    calls.map(({ status, isStored, agency: { kind } }) => [status?.answer.status, isStored, kind]),
  ).toEqual([
    [200, true, 'simulator'],
    [404, false, 'simulator'],
    [422, false, 'simulator'],
    [401, false, 'simulator'],
    [429, false, 'simulator'],
    [503, false, 'simulator'],
  ]);
  expect(calls[5]?.status?.answer.body).toMatch(/^\s*\n[\s\S]*M-F 7:00AM EST/);
  const times = record.steps.map(({ call, batch }) => call?.startedAt ?? batch?.startedAt ?? '');
  expect(times).toEqual(times.toSorted());
  expect(Date.now() - Date.parse(times[0] ?? '')).toBeLessThan(120_000);

  expect(agency.tokens.size).toBeGreaterThanOrEqual(5);
  const seen = [file, printed, await page.content(), ...(await Promise.all(answers))].join('\n');
  for (const secret of [...Object.values(CLIENT), HEADER, ...agency.tokens])
    expect(seen).not.toContain(secret);
});

interface Recorded {
  startedAt: string;
  isStored: boolean;
  agency: { kind: string };
  status?: { answer: { status: number; body: string } };
}

/** To a Sunday at noon in GMT, when the sandbox is closed. */
function msToSunday(): number {
  const now = new Date();
  const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 7 - now.getUTCDay(), 12);
  return noon - now.getTime();
}
