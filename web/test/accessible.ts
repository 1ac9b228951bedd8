import axe, { type RunOptions } from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keepTheme, type Theme, themeInForce } from '../src/features/theme/theme.ts';

const WIDTHS = [320, 768, 1280];

/** No axe violation in either theme, on the page as it stands now. `npm run screenshots` takes a picture of each under the given name. */
export async function expectAccessible(picture?: string): Promise<void> {
  stopMotion();
  expect(await violations({ rules: { 'target-size': { enabled: true } } }), 'in the light theme').toEqual([]);
  await takePicture(picture, 'light');
  setTheme('dark');
  // Nothing but colors depends on the theme.
  expect(await violations({ runOnly: ['color-contrast'] }), 'in the dark theme').toEqual([]);
  await takePicture(picture, 'dark');
  setTheme('light');
}

async function takePicture(name: string | undefined, theme: Theme): Promise<void> {
  if (name === undefined || import.meta.env.MODE !== 'screenshots') return;
  const file = `${name}-${theme}.png`.replaceAll(' ', '-');
  const { innerWidth, innerHeight } = window;
  // Only what the viewport shows is drawn.
  await page.viewport(innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight));
  await page.screenshot({ path: `../../test-results/screenshots/${file}` });
  await page.viewport(innerWidth, innerHeight);
}

/** At every width, in both themes; nothing sticks out at the side. */
export async function expectAccessibleEverywhere(): Promise<void> {
  for (const width of WIDTHS) {
    await page.viewport(width, 800);
    await expect.poll(() => window.innerWidth).toBe(width);
    // The layout follows the width in the next render.
    await expect
      .poll(() => document.documentElement.scrollWidth, { message: `at ${width} px` })
      .toBeLessThanOrEqual(width);
    await expectAccessible();
  }
  await page.viewport(1280, 800);
}

async function violations(options: RunOptions): Promise<string[]> {
  const found = (await axe.run(document, options)).violations;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** As the toggle does, also behind a dialog and on screens that have none. */
function setTheme(theme: Theme): void {
  keepTheme(theme);
  expect(themeInForce()).toBe(theme);
}

/** Colors in mid-transition are not what users read, and a toast may begin to fade at any time. */
function stopMotion(): void {
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
}
