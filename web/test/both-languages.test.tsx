import { i18n, type Messages } from '@lingui/core';
import { matchPath } from 'react-router-dom';
import { page } from 'vitest/browser';
import { pagesForAnyone, signedInPages } from '../src/app/pages.ts';
import { messages } from '../src/i18n/catalog-en.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './component-test.tsx';
import { languagesOf, openScreen, SCREENS } from './screens.ts';

const SLOW_MACHINE_MS = 120_000;

test('every route of the app is one of the screens below', () => {
  const routes = [...Object.keys(signedInPages), ...Object.keys(pagesForAnyone), '/auth'];
  const opened = Object.values(SCREENS).map(({ path }) => path.split('?')[0] ?? '');
  expect(routes.filter((route) => !opened.some((path) => matchPath(route, path)))).toEqual([]);
});

const ALL = Object.entries(SCREENS).map(([name, screen]) => ({ name, screen }));

test.for(ALL.flatMap((one) => languagesOf(one.screen).map((language) => ({ ...one, language }))))(
  'in $language, the screen "$name" is accessible in a narrow and a wide window, in both themes',
  { timeout: SLOW_MACHINE_MS },
  async ({ name, screen, language }, { api }) => {
    await showLanguage(language);
    await openScreen(api, screen);
    expect(document.documentElement.lang).toBe(language);
    if (language === 'es') expect(englishOn(document.body)).toEqual([]);
    for (const width of [320, 1280]) {
      await page.viewport(width, 800);
      await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expectAccessible(`${name}-${language}-${width}`);
    }
  },
);

test.for(ALL.filter(({ screen }) => languagesOf(screen).includes('es')))(
  'the screen "$name" has room for texts that are 40 % longer, in 320 px',
  async ({ screen }, { api }) => {
    i18n.loadAndActivate({ locale: 'en', messages: stretched(messages) });
    await page.viewport(320, 800);
    await openScreen(api, screen);
    expect(document.body.textContent).toContain(FILLER);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    const cut = [...document.querySelectorAll<HTMLElement>('button, a.btn, h1, h2, label')].filter(
      ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
    );
    expect(cut.map(({ textContent }) => textContent)).toEqual([]);
    await page.viewport(1280, 800);
  },
);

const FILLER = 'wordy';

/** Compiled messages with two more words for every five. */
function stretched(texts: Messages): Messages {
  return Object.fromEntries(Object.entries(texts).map(([id, message]) => [id, longer(message)]));
}

function longer(message: Messages[string]): Messages[string] {
  if (typeof message === 'string') return longerText(message);
  return message.map((token) => (typeof token === 'string' ? longerText(token) : token));
}

const longerText = (text: string) =>
  /\p{L}/u.test(text)
    ? text + ` ${FILLER}`.repeat(Math.ceil((text.length * 0.4) / (FILLER.length + 1)))
    : text;

/** Words that no Spanish text has. */
const ENGLISH =
  /\b(?:the|your|you|and|with|for|of|is|are|was|to|this|search|save|cancel|check|case|cases|password|sign)\b/i;

/** Texts and labels with English words, outside what is marked as English. */
function englishOn(root: HTMLElement): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!isEnglish(node.parentElement)) found.push(node.textContent ?? '');
  }
  for (const element of root.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    if (isEnglish(element)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      found.push(element.getAttribute(name) ?? '');
  }
  return found.filter((text) => ENGLISH.test(text));
}

const isEnglish = (element: Element | null) =>
  element?.closest('[lang="en"]:not(html), style, script, .vitest-tester') !== null;
