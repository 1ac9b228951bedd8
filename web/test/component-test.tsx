import '../src/styles/app.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { i18n } from '@lingui/core';
import { onlineManager } from '@tanstack/react-query';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { test as base, expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import * as endpoints from '../src/api/endpoints.ts';
import { clearKept } from '../src/api/kept-data.ts';
import { createQueryClient } from '../src/api/query-client.ts';
import { App } from '../src/app/app.tsx';
import { setServerTexts } from '../src/lib/server-texts.ts';
import { createFakeApi, type FakeApi } from './fake-api.ts';
import { BILLING_CONFIG, casesPage, FREE_USER, NO_SUBSCRIPTION } from './samples.ts';

export { expect };

// Loaded before the first test, as the app itself is: how long Vite takes for a screen is no matter of a test.
const screens = import.meta.glob([
  '../src/features/*/*-page.tsx',
  // Lie over the signed-in screens.
  '../src/features/offline/{offline-banner,update-notice}.tsx',
  '../src/features/{shortcuts/shortcuts,surveys/survey-prompt}.tsx',
]);
await Promise.all(Object.values(screens).map((load) => load()));

/** A test with an API of its own in a browser that remembers nothing. */
export const test = base.extend<{ api: FakeApi }>({
  api: [
    async ({ task: _ }, use) => {
      localStorage.clear();
      // Development builds have the English texts in the code.
      i18n.loadAndActivate({ locale: 'en', messages: {} });
      setServerTexts(undefined);
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
      document.cookie = 'language=; path=/; max-age=0';
      document.documentElement.lang = 'en';
      sessionStorage.clear();
      await clearKept();
      onlineManager.setOnline(true);
      namesSupport({ email: 'help@example.com' });
      const api = createFakeApi();
      api.answers(endpoints.getBillingConfig, BILLING_CONFIG);
      // No suggestions of passkeys, unless the test has some.
      api.refuses(endpoints.startPasskeySignIn, 'UNAVAILABLE');
      vi.stubGlobal('fetch', api.fetch);
      vi.stubGlobal('EventSource', SilentStream);
      await use(api);
      // The app must be unmounted before the next test's API is there: what it still asks for belongs to this test.
      await cleanup();
      vi.useRealTimers();
      vi.unstubAllGlobals();
      expect(api.unexpected, 'calls that the test gave no answer for').toEqual([]);
    },
    { auto: true },
  ],
});

/** The whole app at a path; `withBack` adds a button that goes back as the browser's own does. */
export function showApp(path: string, { withBack = false } = {}) {
  return render(
    <MemoryRouter initialEntries={[path]}>
      <App queryClient={createQueryClient()} />
      {withBack && <BackButton />}
    </MemoryRouter>,
  );
}

function BackButton() {
  const navigate = useNavigate();
  return (
    <button type="button" onClick={() => navigate(-1)}>
      Back in history
    </button>
  );
}

/** Pastes a text where the focus is. */
export function pasteText(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
}

/** What the server writes into its pages; without an address the installation has no support. */
export function namesSupport({ email, url }: { email?: string; url?: string }): void {
  const { dataset } = document.documentElement;
  for (const name of ['support', 'supportEmail', 'supportUrl']) delete dataset[name];
  if (email ?? url) dataset.support = '';
  if (email) dataset.supportEmail = email;
  if (url) dataset.supportUrl = url;
}

/** Answers what every signed-in screen asks for, with nothing to report. */
export function signedIn(api: FakeApi, user = FREE_USER): void {
  api.answers(endpoints.getMe, user);
  api.answers(endpoints.getSubscription, { ...NO_SUBSCRIPTION, tier: user.tier });
  api.answers(endpoints.listNotifications, []);
  api.answers(endpoints.listPendingSurveys, []);
  api.answers(endpoints.listSessions, []);
  api.answers(endpoints.listPasskeys, []);
  api.answers(endpoints.listPushDevices, { publicKey: null, devices: [] });
  keepsCases(api, []);
}

/** Answers with these saved cases, as the whole list, by receipt number, and as the first page. */
export function keepsCases(api: FakeApi, cases: SavedCase[]): void {
  api.serves(endpoints.listSavedCases, ({ query }) => chosenOf(cases, query));
  api.answers(endpoints.listSavedCasesPage, casesPage(cases));
}

/** Those that a read asks for: all, or those it names. */
export function chosenOf(
  cases: readonly SavedCase[],
  { receiptNumbers }: Readonly<Record<string, string>>,
): SavedCase[] {
  return cases.filter((one) => receiptNumbers?.split(',').includes(one.receiptNumber) ?? true);
}

/** Waits for a toast with these words: its title, its text, or both. */
export async function expectToast(...words: string[]): Promise<void> {
  for (const text of words) {
    await expect
      .poll(() => [...document.querySelectorAll('.toast-card *')].map((part) => part.textContent))
      .toContain(text);
  }
}

/** Lets everything that is already on its way take effect: timers of no delay, answers, and what React does about them. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
    await new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  }
}

export const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Chooses from the menu that a button opens. */
export async function choose(menu: string, item: string): Promise<void> {
  await button(menu).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Opens what a card keeps behind a click: tags, snoozing and the way to the case's page. */
export const openMore = (receiptNumber: string) => button(`More about ${receiptNumber}`).click();

/** By keyboard to the button of a toast that is shown. A toast listens for the focus a moment after it is drawn. */
export async function tabToUndo(): Promise<void> {
  await settle();
  await userEvent.keyboard('{F8}{Tab}{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
}

/** A stream that stays open and says nothing. */
class SilentStream extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  close(): void {}
}
