import { LANGUAGES } from '@casewatch/contracts/languages';
import { i18n, type Messages } from '@lingui/core';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { messages } from '../src/i18n/catalog-en.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { expect, keepsCases, settle, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, historyEntry, PRO_USER, savedCase } from './samples.ts';

const SLOW_MACHINE_MS = 120_000;
const NUMBER = 'EAC9999103403';
const TOKEN = '#a-token_of-43-characters-0123456789-ABCDEFG';
const CASE = savedCase(NUMBER, {
  nickname: 'Abuela',
  tags: ['Familia'],
  lastKnownStatus: 'Request for Additional Evidence Was Sent',
  formType: 'I-485',
  monitoringFrequency: 'weekly',
});
const RESULT = caseResult(NUMBER, {
  // In the agency's words, which are in English only.
  applicationOrPetitionType: 'I-485',
  caseStatus: 'Request for Additional Evidence Was Sent',
  formType: 'I-485',
  histCaseData: [historyEntry('Case Was Received', '2024-02-29 10:00:00')],
});

/** Each screen as a user finds it, by how it is opened. */
const SCREENS: Record<string, (api: FakeApi) => Promise<void>> = {
  landing: (api) => signedOut(api, '/'),
  'sign-in': (api) => signedOut(api, '/auth'),
  'forgotten password': (api) => signedOut(api, '/forgot-password'),
  'new password': (api) => withToken(api, '/reset-password'),
  'proof of an address': (api) => withToken(api, '/confirm-email'),
  unsubscribe: (api) => withToken(api, '/unsubscribe'),
  search: () => open('/'),
  'search results': async (api) => {
    api.answers(endpoints.lookUpCase, RESULT);
    await open(`/?receipt=${NUMBER}`);
  },
  case: async (api) => {
    keepsCases(api, [CASE]);
    api.answers(endpoints.lookUpCase, RESULT);
    await open(`/cases/${NUMBER}`);
  },
  'saved cases': async (api) => {
    keepsCases(api, [CASE]);
    await open('/saved-cases');
  },
  'table of saved cases': async (api) => {
    localStorage.setItem('casewatch-saved-cases-view', 'table');
    keepsCases(api, [CASE]);
    await open('/saved-cases');
  },
  'no saved cases': () => open('/saved-cases'),
  notifications: async (api) => {
    api.answers(endpoints.listNotifications, [
      {
        id: '0198c0de-0000-7000-8000-119999103403',
        userId: PRO_USER.id,
        kind: 'status',
        receiptNumber: NUMBER,
        oldStatus: 'Case Was Received',
        newStatus: 'Case Was Approved',
        createdAt: '2026-01-05T12:00:00.000Z',
        read: false,
      },
    ]);
    await open('/saved-cases');
    await page.getByTestId('notifications-bell').click();
  },
  profile: async (api) => {
    api.answers(endpoints.getNotificationPreferences, { email: true, emailOffered: true });
    api.answers(endpoints.listInvoices, []);
    await open('/profile');
  },
  upgrade: async (api) => {
    signedIn(api);
    await open('/upgrade');
  },
  'unknown page': () => open('/no-such-page'),
};

async function open(path: string): Promise<void> {
  await showApp(path);
  // A spinner has a heading that is only read aloud.
  const heading = () => document.querySelector('h1:not(.visually-hidden)');
  // The first screen of the file loads the app's modules.
  await expect.poll(heading, { timeout: 15_000 }).not.toBeNull();
  await settle();
}

async function signedOut(api: FakeApi, path: string): Promise<void> {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await open(path);
}

async function withToken(api: FakeApi, path: string): Promise<void> {
  window.location.hash = TOKEN;
  await signedOut(api, path);
}

test.for(LANGUAGES.flatMap((language) => Object.keys(SCREENS).map((screen) => [language, screen] as const)))(
  'in %s, the screen "%s" is accessible in a narrow and a wide window, in both themes',
  { timeout: SLOW_MACHINE_MS },
  async ([language, screen], { api }) => {
    await showLanguage(language);
    signedIn(api, PRO_USER);
    api.answers(endpoints.listWatches, []);
    api.answers(endpoints.listPrices, []);
    await SCREENS[screen]?.(api);
    expect(document.documentElement.lang).toBe(language);
    if (language === 'es') expect(englishOn(document.body)).toEqual([]);
    for (const width of [320, 1280]) {
      await page.viewport(width, 800);
      await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expectAccessible();
    }
  },
);

test.for(Object.keys(SCREENS))(
  'the screen "%s" has room for texts that are 40 % longer, in 320 px',
  async (screen, { api }) => {
    i18n.loadAndActivate({ locale: 'en', messages: stretched(messages) });
    signedIn(api, PRO_USER);
    api.answers(endpoints.listWatches, []);
    api.answers(endpoints.listPrices, []);
    await page.viewport(320, 800);
    await SCREENS[screen]?.(api);
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
