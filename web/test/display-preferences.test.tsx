import type {} from '@vitest/browser-playwright';
import { afterEach } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { showLanguage } from '../src/i18n/language.ts';
import { expect, test } from './component-test.tsx';
import { languagesOf, openScreen, SCREENS } from './screens.ts';

const ALL = Object.entries(SCREENS).map(([name, screen]) => ({ name, screen }));
const IN_EACH_LANGUAGE = ALL.flatMap((one) =>
  languagesOf(one.screen).map((language) => ({ ...one, language })),
);

const emulate = (name: string, value: string) =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value }] });

afterEach(async () => {
  await cdp().send('Emulation.setEmulatedMedia', { features: [] });
  document.documentElement.style.fontSize = '';
  await page.viewport(1280, 800);
});

/** How far the page can be scrolled sideways. */
function overflow(): number {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}

test.for(IN_EACH_LANGUAGE)(
  'in $language, with text of 200 % nothing of the screen "$name" sticks out at the side',
  async ({ screen, language }, { api }) => {
    await showLanguage(language);
    document.documentElement.style.fontSize = '200%';
    await openScreen(api, screen);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  },
);

test.for(ALL)(
  'the screen "$name" scrolls in one direction only with 400 % zoom, is still with less motion, and has edges with forced colors',
  async ({ screen }, { api }) => {
    // 1280 by 1024 pixels, each four times as wide and as high.
    await page.viewport(320, 256);
    await emulate('prefers-reduced-motion', 'reduce');
    await openScreen(api, screen);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    expect(moving()).toEqual([]);
    await emulate('forced-colors', 'active');
    expect(matchMedia('(forced-colors: active)').matches).toBe(true);
    expect(withoutEdge()).toEqual([]);
  },
);

function moving(): string[] {
  const seconds = (text: string) => Math.max(...text.split(',').map((one) => Number.parseFloat(one)));
  const elements = [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
    return (
      (animationName !== 'none' && seconds(animationDuration) > 0.01) || seconds(transitionDuration) > 0.01
    );
  });
  return elements.map(({ className }) => String(className));
}

/** Buttons and fields whose color alone sets them apart, which forced colors take away. */
function withoutEdge(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    ':is(main, [role="dialog"]) :is(.btn:not(.btn-link), select, input:not([type="checkbox"], [type="radio"], [type="file"]))',
  );
  const without = [...controls].filter(
    (control) => control.offsetParent !== null && getComputedStyle(control).borderTopStyle === 'none',
  );
  return without.map((control) => control.outerHTML.slice(0, 120));
}
