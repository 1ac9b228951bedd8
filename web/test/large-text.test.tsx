import '../src/features/guide/guide-page.scss';
import { LANGUAGES } from '@casewatch/contracts/languages';
import { page } from 'vitest/browser';
import { renderGuide } from '../src/features/guide/guide-page.tsx';
import { showLanguage } from '../src/i18n/language.ts';
import { test as base, expect } from './component-test.tsx';
import { languagesOf, openScreen, SCREENS } from './screens.ts';

/** A phone, the same with a scroll bar that takes room, and a desktop. */
const WIDTHS = [390, 375, 1280];
const CASES = Object.entries(SCREENS).flatMap(([name, screen]) =>
  languagesOf(screen).map((language) => ({ name, screen, language })),
);

const test = base.extend<{ largeText: undefined }>({
  largeText: [
    async ({ task: _ }, use) => {
      document.documentElement.style.fontSize = '200%';
      await page.viewport(WIDTHS[0] ?? 0, 800);
      await use(undefined);
      document.documentElement.style.fontSize = '';
      await page.viewport(1280, 800);
    },
    { auto: true },
  ],
});

test.for(CASES)(
  'with text of twice the size no part of the screen "$name" sticks out ($language)',
  async ({ screen, language }, { api }) => {
    await showLanguage(language);
    await openScreen(api, screen);
    await expectRoom();
  },
);

test.for(LANGUAGES)(
  'with text of twice the size no part of the guide sticks out (%s)',
  async (language, { onTestFinished }) => {
    const guide = document.createElement('div');
    onTestFinished(() => guide.remove());
    guide.innerHTML = renderGuide(language).html;
    document.body.append(guide);
    await expectRoom();
  },
);

/** At every width, on the page as it stands now. */
async function expectRoom(): Promise<void> {
  for (const width of WIDTHS) {
    await page.viewport(width, 800);
    await expect.poll(() => window.innerWidth).toBe(width);
    await expect.poll(sticksOut, { message: `at ${width} px` }).toEqual([]);
  }
}

/** What reaches beyond the window's right edge, on a page that scrolls sideways. */
function sticksOut(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .map((one) => ({ one, right: one.getBoundingClientRect().right }))
    .filter(({ right }) => right > clientWidth)
    .map(({ one, right }) => `${one.localName}.${one.getAttribute('class')} reaches ${right}`);
}
