import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import { type BrowserContextOptions, chromium } from '@playwright/test';
import { startProduct } from './start-product.ts';
import { caseCard, lookUp } from './steps.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const RECEIPT_NUMBER = 'LIN9999106498';
const LARGEST_BYTES = 200_000;

const PICTURES: readonly { file: string; theme: 'light' | 'dark'; options: BrowserContextOptions }[] = [
  { file: 'lookup.png', theme: 'light', options: { viewport: { width: 1280, height: 800 } } },
  {
    file: 'lookup-phone-dark.png',
    theme: 'dark',
    options: { viewport: { width: 320, height: 960 }, deviceScaleFactor: 1.5, hasTouch: true },
  },
];

/** Takes the pictures of the documentation anew, from the running product. */
async function takePictures(): Promise<void> {
  const product = await startProduct();
  const { executablePath, args } = await findChromium(chromium.executablePath());
  const browser = await chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
  try {
    for (const { file, theme, options } of PICTURES) {
      const context = await browser.newContext({ ...options, baseURL: product.url, locale: 'en-US' });
      await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
      await context.request.post('/api/auth/login', {
        data: { email: 'free@demo.test', password: 'demo-demo-demo' },
        headers: { origin: product.url },
      });
      const page = await context.newPage();
      await page.goto('/');
      await lookUp(page, RECEIPT_NUMBER);
      await caseCard(page, RECEIPT_NUMBER).waitFor();
      if (options.hasTouch) {
        await caseCard(page, RECEIPT_NUMBER).evaluate((card) => {
          card.style.scrollMarginTop = '4.5rem';
          card.scrollIntoView({ behavior: 'instant' });
        });
      }
      await page.mouse.move(0, 0);
      await page.screenshot({ path: FOLDER + file, animations: 'disabled', caret: 'hide' });
      const { size } = statSync(FOLDER + file);
      if (size > LARGEST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${LARGEST_BYTES}`);
      process.stdout.write(`docs/pictures/${file}: ${size} bytes\n`);
      await context.close();
    }
  } finally {
    await browser.close();
    await product.stop();
  }
}

await takePictures();
