import { FIREFOX } from '@casewatch/dev-stack/tools/browsers';
import puppeteer from 'puppeteer-core';
import { type Engine, HEIGHT, WIDTH } from './engine.ts';

/** Starts Firefox ESR, driven over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    defaultViewport: { width: WIDTH, height: HEIGHT },
  });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    open: async (url) => void (await page.goto(url)),
    run: async (work, ...args) =>
      (await page.evaluate(work as (...args: unknown[]) => unknown, ...args)) as never,
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async typeInFrame(selector, texts) {
      const frame = await (await page.waitForSelector(selector))?.contentFrame();
      for (const [field, text] of Object.entries(texts)) {
        // Only a click brings the keyboard into another site's frame.
        await (await frame?.waitForSelector(field, { visible: true }))?.click();
        await page.keyboard.type(text);
      }
    },
    resize: (width) => page.setViewport({ width, height: HEIGHT }),
    errors: () => errors,
    close: () => browser.close(),
  };
}
