import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { pushDeviceId } from '@casewatch/contracts/push-device-id';
import type { PushDevice } from '@casewatch/contracts/push-devices';
import { afterEach, describe, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { OPEN_PAGE } from '../src/features/push/open-page.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER } from './samples.ts';

const KEY = `B${'A'.repeat(86)}`;
const ENDPOINT = 'https://push.example.com/this-browser';
const ID = await pushDeviceId(ENDPOINT);
const device = (id: string, name: string): PushDevice => ({
  id,
  name,
  addedAt: '2026-11-01T10:00:00.000Z',
  lastSuccessAt: null,
  lastFailureAt: null,
  showReceiptNumbers: false,
  language: 'en',
});
const OTHER = device('5f0d3a52-5c0e-4f0a-9a75-0d7c1f0c3a11', 'Firefox on Windows');

/** A browser with a worker, as far as push messages go. */
function fakeBrowser({ permission = 'default', answer = 'granted', subscribed = false } = {}) {
  const applicationServerKey = Uint8Array.from(atob(KEY.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  ).buffer;
  const subscription = {
    endpoint: ENDPOINT,
    options: { applicationServerKey },
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: KEY, auth: 'A'.repeat(22) } }),
    unsubscribe: async () => {
      state.subscribed = false;
      return true;
    },
  };
  // Of a registration the app uses little; the rest can't be made without a worker.
  const worker = {} as ServiceWorkerRegistration;
  const state = { subscribed, requests: 0, worker };
  const pushManager = {
    getSubscription: async () => (state.subscribed ? subscription : null),
    subscribe: async () => {
      state.subscribed = true;
      return subscription;
    },
  };
  vi.stubGlobal('Notification', {
    permission,
    requestPermission: async () => {
      state.requests += 1;
      return answer;
    },
  });
  Object.assign(worker, { pushManager });
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(worker);
  return state;
}

function answerSettings(api: FakeApi): void {
  const settings = DEFAULT_NOTIFICATION_SETTINGS;
  api.answers(endpoints.getNotificationSettings, { settings, emailOffered: false, pushOffered: true });
}

async function showCard(api: FakeApi, devices: PushDevice[] = []) {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.listPushDevices, { publicKey: KEY, devices });
  answerSettings(api);
  await showApp('/profile/notifications');
  const card = page.getByRole('region', { name: 'Push notifications' });
  await expect.element(card).toBeVisible();
  return card;
}

const turnOn = button('Turn on for this device');

afterEach(() => vi.restoreAllMocks());

describe('push notifications in the profile', () => {
  test('the permission is asked for by the click, and the device is saved', async ({ api }) => {
    const browser = fakeBrowser();
    await showCard(api);
    await expect.element(turnOn).toBeVisible();
    await expectAccessible();
    expect(browser.requests).toBe(0);
    const saved = api.holds(endpoints.savePushDevice);
    await turnOn.click();
    await expect
      .poll(() => saved.map(({ body }) => body))
      .toEqual([
        { endpoint: ENDPOINT, keys: { p256dh: KEY, auth: 'A'.repeat(22) }, publicKey: KEY, language: 'en' },
      ]);
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [device(ID, 'Chrome on Linux')] });
    saved[0]?.answer(device(ID, 'Chrome on Linux'));
    await expectToast('Turned on');
    await expect.element(page.getByText(/They are on for this device/)).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Push notifications' })).toHaveFocus();
    await expectAccessible();
  });

  test('a refused permission is explained, and nothing is saved', async ({ api }) => {
    fakeBrowser({ answer: 'denied' });
    await showCard(api);
    await turnOn.click();
    await expect.element(page.getByText(/blocked in this browser/)).toBeVisible();
    await expect.element(turnOn).not.toBeInTheDocument();
    await expectAccessible();
  });

  test('a permission that was refused before is explained at once', async ({ api }) => {
    fakeBrowser({ permission: 'denied' });
    await showCard(api);
    await expect.element(page.getByText(/blocked in this browser/)).toBeVisible();
  });

  test('a question that was closed can be asked again', async ({ api }) => {
    fakeBrowser({ answer: 'default' });
    await showCard(api);
    await turnOn.click();
    await expect.element(turnOn).toBeEnabled();
  });

  test('a browser that can’t show push messages is named as the reason', async ({ api }) => {
    vi.spyOn(navigator.serviceWorker, 'register').mockRejectedValue(new DOMException('', 'SecurityError'));
    await showCard(api);
    await expect.element(page.getByText(/can’t show push notifications/)).toBeVisible();
  });

  test('on a slow first load, whose worker is not registered yet, the card waits for it', async ({ api }) => {
    const { worker } = fakeBrowser();
    vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(undefined);
    let register = (_worker: ServiceWorkerRegistration) => {};
    vi.spyOn(navigator.serviceWorker, 'register').mockReturnValue(
      new Promise((resolve) => {
        register = resolve;
      }),
    );
    const card = await showCard(api);
    await expect.element(card.getByRole('status')).toBeVisible();
    await expect.element(page.getByText(/can’t show push notifications/)).not.toBeInTheDocument();
    register(worker);
    await expect.element(turnOn).toBeVisible();
  });

  test('a device whose worker is still being installed is subscribed once that is done', async ({ api }) => {
    const { worker } = fakeBrowser();
    const first = Object.assign(new EventTarget(), { state: 'installing' });
    Object.assign(worker, { active: null, installing: first });
    const { subscribe } = worker.pushManager;
    worker.pushManager.subscribe = (options) =>
      worker.active ? subscribe(options) : Promise.reject(new DOMException('no active worker', 'AbortError'));
    const saved = api.holds(endpoints.savePushDevice);
    await showCard(api);
    await turnOn.click();
    await expect.element(turnOn).toBeDisabled();
    await settle();
    first.state = 'activated';
    Object.assign(worker, { active: first, installing: null });
    first.dispatchEvent(new Event('statechange'));
    await expect.poll(() => saved.length).toBe(1);
    saved[0]?.answer(device(ID, 'Chrome on Linux'));
    await expectToast('Turned on');
  });

  test('on an iPhone the way to the Home Screen is explained', async ({ api }) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
    );
    await showCard(api);
    await expect.element(page.getByText(/Add to Home Screen/)).toBeVisible();
    await expect.element(turnOn).not.toBeInTheDocument();
  });

  test('devices are listed, tested, changed and removed', async ({ api }) => {
    fakeBrowser();
    await showCard(api, [OTHER]);
    await expectAccessible();
    api.answers(endpoints.testPushDevice, { result: 'failed' });
    await button(/^Send a test to Firefox on Windows/).click();
    await expectToast('Test failed');
    const choices = api.holds(endpoints.changePushDevice);
    const choice = page.getByRole('switch', { name: 'Show receipt numbers' });
    await choice.click();
    await expect.poll(() => choices.map(({ body }) => body)).toEqual([{ showReceiptNumbers: true }]);
    choices[0]?.answer({ ...OTHER, showReceiptNumbers: true });
    await expect.element(choice).toBeChecked();
    const removed = api.holds(endpoints.removePushDevice);
    await button(/^Remove Firefox on Windows/).click();
    await expect.poll(() => removed.map(({ params }) => params)).toEqual([{ id: OTHER.id }]);
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [] });
    removed[0]?.respond(204, undefined);
    await expectToast('Removed');
    await expect.element(page.getByText('Firefox on Windows', { exact: true })).not.toBeInTheDocument();
    await expect.element(page.getByRole('heading', { name: 'Push notifications' })).toHaveFocus();
  });

  test('a list of devices that fails to load says so, and loads on request', async ({ api }) => {
    fakeBrowser();
    signedIn(api);
    api.answers(endpoints.listPrices, []);
    api.refuses(endpoints.listPushDevices, 'UNAVAILABLE');
    answerSettings(api);
    await showApp('/profile/notifications');
    const card = page.getByRole('region', { name: 'Push notifications' });
    await expect.element(card).toMatchTextContent(/Your devices can’t be shown right now\./);
    await expectAccessible();
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [OTHER] });
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect.element(turnOn).toBeVisible();
    await expect.element(card).toMatchTextContent(/Firefox on Windows/);
  });

  test('without push messages at this installation there is no card', async ({ api }) => {
    signedIn(api);
    api.answers(endpoints.listPrices, []);
    answerSettings(api);
    await showApp('/profile/notifications');
    await expect.element(page.getByRole('region', { name: 'Events and channels' })).toBeVisible();
    await expect.element(page.getByRole('region', { name: 'Push notifications' })).not.toBeInTheDocument();
  });
});

describe('in Spanish', () => {
  test('the card has every text in Spanish, and saves the device with the language', async ({ api }) => {
    fakeBrowser();
    const saved = api.holds(endpoints.savePushDevice);
    await showLanguage('es');
    signedIn(api);
    api.answers(endpoints.listPrices, []);
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [OTHER] });
    answerSettings(api);
    await showApp('/profile/notifications');
    const card = page.getByRole('region', { name: 'Alertas en sus dispositivos' });
    await expect.element(card.getByRole('switch', { name: /Mostrar números de recibo/ })).toBeVisible();
    await expect
      .element(card.getByRole('button', { name: /^Enviar una prueba a Firefox on Windows, agregado el / }))
      .toBeVisible();
    expect(card.element().textContent).not.toMatch(/\b(?:device|receipt|Remove|Send|added|notification)\b/);
    await expectAccessible();
    await card.getByRole('button', { name: 'Activar en este dispositivo' }).click();
    await expect.poll(() => saved.map(({ body }) => body.language)).toEqual(['es']);
    saved[0]?.answer({ ...device(ID, 'Chrome on Linux'), language: 'es' });
  });
});

describe('a click on a message', () => {
  test.for([
    ['/saved-cases', 'Saved Cases', '/'],
    ['/.//evil.example', 'Immigration Case Status', '/saved-cases'],
    ['/api/auth/me', 'Immigration Case Status', '/saved-cases'],
    [{}, 'Immigration Case Status', '/saved-cases'],
  ] as const)(
    'leads to %j as "%s" in the open app, which answers the worker',
    async ([path, heading, start], { api }) => {
      fakeBrowser();
      signedIn(api);
      await showApp(start);
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
      const { port1, port2 } = new MessageChannel();
      let isAnswered = false;
      port1.onmessage = () => {
        isAnswered = true;
      };
      // The app listens once it is loaded.
      await expect
        .poll(
          () => {
            const data = { type: OPEN_PAGE, path };
            if (!isAnswered)
              navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }));
            return isAnswered;
          },
          { timeout: 10_000 },
        )
        .toBe(true);
      await expect.element(page.getByRole('heading', { name: heading, level: 1 })).toHaveFocus();
    },
  );
});

describe('when the app opens', () => {
  test('a subscription that the browser has lost is made again', async ({ api }) => {
    fakeBrowser({ permission: 'granted' });
    localStorage.setItem('casewatch-push-user', FREE_USER.id);
    const saved = api.holds(endpoints.savePushDevice);
    signedIn(api);
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [] });
    await showApp('/');
    await expect.poll(() => saved.map(({ body }) => body.endpoint)).toEqual([ENDPOINT]);
    saved[0]?.answer(device(ID, 'Chrome on Linux'));
  });

  test('a subscription that could not be saved, as while the key is replaced, is made again the next time', async ({
    api,
  }) => {
    const browser = fakeBrowser({ permission: 'granted' });
    localStorage.setItem('casewatch-push-user', FREE_USER.id);
    const saved = api.holds(endpoints.savePushDevice);
    signedIn(api);
    api.answers(endpoints.listPushDevices, { publicKey: KEY, devices: [] });
    await showApp('/');
    await expect.poll(() => saved.length).toBe(1);
    saved[0]?.refuse('BAD_REQUEST', 'This device used an old key.');
    await expect.poll(() => browser.subscribed).toBe(false);
    // What is done when the app opens is done here, too.
    await showLanguage('es');
    await expect.poll(() => saved.map(({ body }) => body.language)).toEqual(['en', 'es']);
    saved[1]?.answer({ ...device(ID, 'Chrome on Linux'), language: 'es' });
    expect(browser.subscribed).toBe(true);
  });

  test('messages come in the language that the app is changed to', async ({ api }) => {
    fakeBrowser({ permission: 'granted', subscribed: true });
    localStorage.setItem('casewatch-push-user', FREE_USER.id);
    const saved = api.holds(endpoints.savePushDevice);
    signedIn(api);
    const listed = api.holds(endpoints.listPushDevices);
    await showApp('/');
    await expect.poll(() => listed.length).toBe(1);
    const known = { ...device(ID, 'Chrome on Linux'), language: 'en' as const };
    listed[0]?.answer({ publicKey: KEY, devices: [known] });
    await expect.poll(() => saved.map(({ body }) => body.language)).toEqual(['en']);
    saved[0]?.answer(known);
    await showLanguage('es');
    await expect.poll(() => listed.length).toBe(2);
    listed[1]?.answer({ publicKey: KEY, devices: [known] });
    await expect.poll(() => saved.map(({ body }) => body.language)).toEqual(['en', 'es']);
    saved[1]?.answer({ ...known, language: 'es' });
  });

  test('the subscription of another user is ended', async ({ api }) => {
    const browser = fakeBrowser({ permission: 'granted', subscribed: true });
    localStorage.setItem('casewatch-push-user', 'another user');
    const removed = api.holds(endpoints.removePushDevice);
    signedIn(api);
    await showApp('/');
    await expect.poll(() => removed.map(({ params }) => params)).toEqual([{ id: ID }]);
    removed[0]?.refuse('NOT_FOUND', '');
    await expect.poll(() => browser.subscribed).toBe(false);
    expect(localStorage.getItem('casewatch-push-user')).toBeNull();
  });
});
