import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { startProduct } from './start-product.ts';
import { caseCard, lookUp, lookUpSeveral, move } from './steps.ts';

/** `npm run screenshots [part of a screen's name]`: the screens that users work with, to be looked at before a change lands. */
const FOLDER = fileURLToPath(new URL('../../test-results/screenshots/', import.meta.url));
const ACCOUNT = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const RECEIPT = 'LIN9999106498';
const SIZES = [
  ['phone', { width: 390, height: 844 }],
  ['small-phone', { width: 320, height: 640 }],
  ['desktop', { width: 1280, height: 800 }],
] as const;
const LONG_NAME = 'Maria de los Angeles Hernandez Gutierrez, adjustment of status with her two children';
const STATUSES = [
  'Case Was Received',
  'Request for Additional Evidence Was Sent',
  'Interview Was Scheduled',
  'Case Was Approved',
  'Case Was Denied',
];
/** Ends in an even digit: those are the agency simulator's. */
const savedNumber = (nth: number) => `WAC${2_590_000_000 + 2 * nth}`;
const BULK = [RECEIPT, 'EAC9999103403', savedNumber(1), savedNumber(2), 'WAC1234567891'];

/** Pictures of the whole page, not of what fits the window. */
const WHOLE = new Set(['lookup', 'bulk-results', 'case-page', 'profile', 'upgrade', 'landing']);

/** What brings a screen about, starting anywhere. */
const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  lookup: async (page) => {
    await page.goto('/');
    await lookUp(page, RECEIPT);
    await caseCard(page, RECEIPT).waitFor();
  },
  'lookup-chips': async (page) => {
    await page.goto('/');
    await page.getByRole('tab', { name: 'Bulk Search' }).click();
    await page.getByLabel('Receipt Numbers').fill(`${RECEIPT}\nIOE-123456789\nnot a number\nEAC99991034033`);
    await page.getByRole('list', { name: 'Invalid entries' }).waitFor();
  },
  'bulk-results': async (page) => {
    await page.goto('/');
    await lookUpSeveral(page, BULK);
    await page.getByRole('region', { name: /^5 results/ }).waitFor();
  },
  'case-page': async (page) => {
    await page.goto(`/cases/${savedNumber(1)}`);
    await page.getByRole('region', { name: 'Your case' }).waitFor();
  },
  'saved-cards': async (page) => {
    await inWorkspace(page, 'Cards');
    await page.getByRole('checkbox', { name: `Select ${savedNumber(33)}` }).click();
  },
  'saved-table': async (page) => inWorkspace(page, 'Table'),
  'saved-table-selected': async (page) => {
    await inWorkspace(page, 'Table');
    await page.getByText('Filters', { exact: true }).click();
    for (const nth of [33, 31])
      await page.getByRole('checkbox', { name: `Select ${savedNumber(nth)}` }).click();
  },
  'saved-none-fit': async (page) => {
    await page.goto('/saved-cases?search=nobody');
    await page.getByText('No saved case fits').waitFor();
  },
  'case-removed': async (page) => {
    const receiptNumber = savedNumber(32);
    await send(page.context(), '/api/saved-cases/bulk', {
      action: 'restore',
      receiptNumbers: [receiptNumber],
    });
    await inWorkspace(page, 'Cards');
    await page.getByRole('button', { name: `Remove ${receiptNumber}` }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Case removed', { exact: true }).waitFor();
  },
  'recently-removed': async (page) => {
    await inWorkspace(page, 'Cards');
    await page.getByRole('button', { name: 'Recently removed' }).click();
    await page.getByRole('list', { name: 'Removed cases' }).waitFor();
  },
  'import-preview': async (page) => {
    await inWorkspace(page, 'Cards');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const rows = [
      'Receipt Number,Nickname,Tags,Frequency',
      `${savedNumber(90)},"${LONG_NAME}","Family, urgent",daily`,
      `${savedNumber(1)},,,`,
      'WAC12,Typing error,,',
      `${savedNumber(91)},,,`,
      `${savedNumber(91)},,,`,
    ];
    await page
      .locator('#import-file:enabled')
      .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
    await page.getByText('2 new, 1 already saved').waitFor();
  },
  profile: async (page) => {
    await page.goto('/profile');
    await page.getByRole('region', { name: 'Notifications', exact: true }).waitFor();
  },
  upgrade: async (page) => {
    await page.goto('/upgrade');
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
  notifications: async (page) => {
    await page.goto('/');
    await page.getByTestId('notifications-bell').click();
    await page.getByTestId('notification-item').first().waitFor();
  },
  landing: async (page) => {
    await page.context().clearCookies();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
};

async function inWorkspace(page: Page, view: 'Cards' | 'Table'): Promise<void> {
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: view, exact: true }).click();
  await page.getByRole('link', { name: savedNumber(33) }).waitFor();
}

const wanted = process.argv[2] ?? '';
mkdirSync(FOLDER, { recursive: true });
// Days as long as days are, so that no check happens while the screens are taken.
const product = await startProduct({ MONITORING_PERIOD_SCALE: '1' });
const { executablePath, args } = await findChromium(chromium.executablePath());
const browser = await chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
try {
  let isFilled = false;
  for (const [size, viewport] of SIZES) {
    for (const theme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, baseURL: product.url, locale: 'en-US' });
      await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
      await send(context, '/api/auth/login', ACCOUNT);
      if (!isFilled) await fillWorkspace(context);
      isFilled = true;
      const page = await context.newPage();
      for (const [name, show] of Object.entries(SCREENS)) {
        if (!name.includes(wanted)) continue;
        await show(page);
        await page.mouse.move(0, 0);
        const file = `${name}-${size}-${theme}.png`;
        await page.screenshot({
          path: FOLDER + file,
          animations: 'disabled',
          caret: 'hide',
          fullPage: WHOLE.has(name),
        });
        process.stdout.write(`test-results/screenshots/${file}\n`);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await product.stop();
}

/** 34 cases of every kind; the first ones have been looked up. */
async function fillWorkspace(context: BrowserContext): Promise<void> {
  const numbers = Array.from({ length: 34 }, (_, nth) => savedNumber(nth));
  await send(context, '/api/saved-cases/import', {
    cases: numbers.map((receiptNumber, nth) => ({
      receiptNumber,
      ...(nth % 11 === 0 ? { nickname: LONG_NAME } : nth % 3 === 0 ? { nickname: `Client ${nth}` } : {}),
      ...(nth % 4 === 1 ? { tags: ['Family', 'urgent'] } : {}),
      monitoringFrequency: nth % 2 === 0 ? 'none' : 'weekly',
    })),
  });
  for (const [nth, receiptNumber] of numbers.entries()) {
    if (nth % 6 === 5) continue;
    const lookUpOnce = () => context.request.get(`/api/case-status/${receiptNumber}`);
    // Its owner is notified of what changes after the first look.
    await lookUpOnce();
    await move(product, receiptNumber, STATUSES[nth % STATUSES.length] ?? '');
    await lookUpOnce();
  }
}

async function send(context: BrowserContext, path: string, data: unknown): Promise<void> {
  const answer = await context.request.post(path, { data, headers: { origin: product.url } });
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
}
