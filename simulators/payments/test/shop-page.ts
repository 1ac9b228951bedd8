import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import { type Browser, chromium, type FrameLocator, type Page } from '@playwright/test';
import { KEYS, type PaymentsUnderTest } from './start-payments.ts';

/** Well below what one test may take, so that what a page waits for is named. */
const WITHIN_MS = 8_000;
const STRIPE_JS = new URL(
  '../dist/pure.mjs',
  pathToFileURL(createRequire(import.meta.url).resolve('@stripe/stripe-js/pure')),
);

const PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/none.ico"></head>
<body><main><h1>Shop</h1><div id="element"></div><button id="pay">Pay</button><p id="result"></p></main>
<script type="module" src="/shop.js"></script></body></html>`;

const SHOP = `import { loadStripe } from '/stripe-js.mjs';
const query = new URLSearchParams(location.search);
const result = document.getElementById('result');
const script = document.createElement('script');
script.src = query.get('script');
await new Promise((resolve) => { script.onload = resolve; document.head.append(script); });
const stripe = await loadStripe(${JSON.stringify(KEYS.publishableKey)}, { locale: query.get('locale') ?? 'en' });
window.stripe = stripe;
const clientSecret = query.get('secret');
const elements = stripe.elements({ clientSecret, appearance: { theme: query.get('theme') ?? 'stripe' } });
const element = elements.create('payment', { layout: 'tabs' });
element.on('ready', () => { document.body.dataset.ready = 'yes'; });
element.mount(document.getElementById('element'));
window.speak = (locale) => elements.update({ locale });
document.getElementById('pay').addEventListener('click', async () => {
  result.textContent = 'working';
  const confirm = clientSecret.startsWith('seti_') ? stripe.confirmSetup : stripe.confirmPayment;
  const answer = await confirm({ elements, confirmParams: { return_url: location.origin + '/back' }, redirect: 'if_required' });
  result.textContent = JSON.stringify(answer);
});`;

export interface ShopPage extends AsyncDisposable {
  readonly page: Page;
  /** The card form. */
  readonly card: FrameLocator;
  /** The output of the browser's console, warnings and refusals of the page's policy included. */
  readonly console: string[];
  fill(number: string): Promise<void>;
  /** Clicks Pay and waits for the outcome. */
  pay(): Promise<{
    error?: Record<string, unknown>;
    paymentIntent?: Record<string, unknown>;
    setupIntent?: Record<string, unknown>;
  }>;
  result(): Promise<string>;
}

export async function startBrowser(): Promise<Browser> {
  const { executablePath, args } = await findChromium(chromium.executablePath());
  return chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
}

/** A page of another origin, as strict as the product's, that takes a payment with the unchanged @stripe/stripe-js. */
export async function openShop(
  browser: Browser,
  payments: PaymentsUnderTest,
  clientSecret: string,
  options: { width?: number; theme?: 'stripe' | 'night'; locale?: 'en' | 'es-419' } = {},
): Promise<ShopPage> {
  const policy = [
    "default-src 'none'; style-src 'self'; img-src 'self'",
    `script-src 'self' ${payments.url}; connect-src 'self' ${payments.url}; frame-src ${payments.url}`,
  ].join('; ');
  const files = new Map([
    ['/shop.js', SHOP],
    ['/stripe-js.mjs', readFileSync(STRIPE_JS, 'utf8')],
  ]);
  const server = createServer((req, res) => {
    const file = files.get(new URL(req.url ?? '/', 'http://shop').pathname);
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    res.setHeader('Content-Type', file ? 'text/javascript' : 'text/html; charset=utf-8');
    res.end(file ?? PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext({ viewport: { width: options.width ?? 1280, height: 720 } });
  const page = await context.newPage();
  const output: string[] = [];
  page.on('console', (message) => output.push(message.text()));
  page.on('pageerror', (error) => output.push(error.message));
  page.setDefaultTimeout(WITHIN_MS);
  const query = new URLSearchParams({
    script: payments.scriptUrl,
    secret: clientSecret,
    ...(options.theme ? { theme: options.theme } : {}),
    ...(options.locale ? { locale: options.locale } : {}),
  });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  await page
    .locator('body[data-ready=yes]')
    .waitFor()
    .catch((cause) => {
      throw new Error(`The card form did not come: ${output.join('; ')}`, { cause });
    });
  const card = page.frameLocator('iframe[title="Secure payment input frame"]');
  const result = () => page.locator('#result').innerText();
  return {
    page,
    card,
    console: output,
    result,
    fill: async (number) => {
      await card.getByLabel('Card number').fill(number);
      await card.getByLabel('Expiration date').fill('1234');
      await card.getByLabel('Security code').fill('123');
      await card.getByLabel('ZIP code').fill('10001');
    },
    pay: async () => {
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.locator('#result', { hasText: /^\{/ }).waitFor();
      return JSON.parse(await result());
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
