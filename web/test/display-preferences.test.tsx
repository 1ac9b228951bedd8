import type {} from '@vitest/browser-playwright';
import { afterEach } from 'vitest';
import { cdp, page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, savedCase } from './samples.ts';

const PATHS = ['/', '/saved-cases'];
const CASES = [savedCase('WAC0000000004', { nickname: 'A nickname of some length', tags: ['family'] })];

const emulate = (name: string, value: string) =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value }] });

afterEach(async () => {
  await cdp().send('Emulation.setEmulatedMedia', { features: [] });
  await page.viewport(1280, 800);
});

/** How far the page can be scrolled sideways. */
function overflow(): number {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}

test.for(PATHS)(
  '%s scrolls in one direction only with a zoom of four (320 CSS pixels)',
  async (path, { api }) => {
    signedIn(api);
    keepsCases(api, CASES);
    await page.viewport(320, 256);
    await showApp(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(overflow()).toBeLessThanOrEqual(0);
  },
);

test('nothing moves for people who want less motion', async ({ api }) => {
  signedIn(api);
  keepsCases(api, CASES);
  await emulate('prefers-reduced-motion', 'reduce');
  await showApp('/saved-cases');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const moving = [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
    const seconds = (text: string) => Math.max(...text.split(',').map((one) => Number.parseFloat(one)));
    return (
      (animationName !== 'none' && seconds(animationDuration) > 0.01) || seconds(transitionDuration) > 0.01
    );
  });
  expect(moving.map(({ className }) => String(className))).toEqual([]);
});

test('with forced colors every control keeps an edge that can be seen', async ({ api }) => {
  signedIn(api);
  keepsCases(api, CASES);
  await emulate('forced-colors', 'active');
  await showApp('/saved-cases');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(matchMedia('(forced-colors: active)').matches).toBe(true);
  const without = [
    ...document.querySelectorAll<HTMLElement>(
      'main .btn:not(.btn-link), main select, main input[type="search"]',
    ),
  ].filter((control) => control.offsetParent !== null && getComputedStyle(control).borderTopStyle === 'none');
  expect(without.map((control) => control.outerHTML.slice(0, 120))).toEqual([]);
});

test('with forced colors the section of the profile that is shown is underlined, and no other', async ({
  api,
}) => {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  await emulate('forced-colors', 'active');
  await showApp('/profile');
  await expect.element(page.getByRole('link', { name: 'Security' })).toBeVisible();
  const lines = [...document.querySelectorAll('.section-nav a')].map(
    (link) => getComputedStyle(link).borderBottomColor,
  );
  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => line === lines[0])).toHaveLength(1);
});

test.for([320, 390])(
  'at %i px the request to confirm the address can be read whole',
  async (width, { api }) => {
    signedIn(api, { ...FREE_USER, emailVerified: false });
    await page.viewport(width, 800);
    await showApp('/saved-cases');
    const request = page.getByText('Confirm your email address.');
    await expect.element(request).toBeVisible();
    const line = request.element().closest('p');
    expect(line?.scrollWidth).toBeLessThanOrEqual(line?.clientWidth ?? 0);
    expect(overflow()).toBe(0);
  },
);
