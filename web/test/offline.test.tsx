import type { SavedCase } from '@casewatch/contracts/cases';
import type { User } from '@casewatch/contracts/identity';
import { onlineManager } from '@tanstack/react-query';
import { get } from 'idb-keyval';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import * as endpoints from '../src/api/endpoints.ts';
import { keepAnswers } from '../src/api/kept-data.ts';
import { changeKept, keptStore } from '../src/api/kept-store.ts';
import { createQueryClient } from '../src/api/query-client.ts';
import { chosenCasesQueryKey } from '../src/api/saved-case-data.ts';
import { meQueryKey } from '../src/api/user-data.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'WAC0000000004';

/** Opens the saved cases once, so that they are kept, and leaves the app. */
async function visit(api: FakeApi, cases: SavedCase[], user: User = FREE_USER): Promise<void> {
  signedIn(api, user);
  api.answers(endpoints.listWatches, []);
  keepsCases(api, cases);
  await showApp('/saved-cases');
  await expect.element(button(`Remove ${NUMBER}`)).toBeVisible();
  await expect.poll(async () => JSON.stringify(await get('snapshot', keptStore))).toContain(NUMBER);
  await cleanup();
}

function disconnect(api: FakeApi): void {
  onlineManager.setOnline(false);
  const { getMe, getSubscription, listNotifications, listPendingSurveys } = endpoints;
  for (const endpoint of [getMe, getSubscription, listNotifications, listPendingSurveys]) api.loses(endpoint);
  api.loses(endpoints.listWatches);
  api.loses(endpoints.listSavedCases);
  api.loses(endpoints.listSavedCasesPage);
}

function reconnect(api: FakeApi, cases: SavedCase[], user: User = FREE_USER): void {
  signedIn(api, user);
  api.answers(endpoints.listWatches, []);
  keepsCases(api, cases);
  askAgain();
}

/** As a look at the page does. */
function askAgain(): void {
  onlineManager.setOnline(true);
  document.dispatchEvent(new Event('visibilitychange'));
}

async function nameIt(nickname: string): Promise<void> {
  await button('Add nickname').click();
  await userEvent.keyboard(nickname);
  await button('Save').click();
  await expectToast('Saved offline');
}

const frequency = () => page.getByLabelText(`Monitoring frequency of ${NUMBER}`);

async function watchIt(choice: string): Promise<void> {
  await frequency().selectOptions(choice);
  await expectToast('Saved offline');
}

/** Names a case without a connection; the session is still there afterwards. */
async function changeOffline(api: FakeApi): Promise<void> {
  await visit(api, [savedCase(NUMBER)]);
  disconnect(api);
  await showApp('/saved-cases');
  await nameIt('Mother');
  signedIn(api);
}

/** The connection is back, but the change can't be sent yet. */
async function comeBackUnsent(api: FakeApi): Promise<void> {
  api.loses(endpoints.listSavedCases);
  askAgain();
  await expect.element(page.getByText(/^Offline/)).not.toBeInTheDocument();
}

test('without a connection the app opens with the saved cases of the last visit, and says from when they are', async ({
  api,
}) => {
  await visit(api, [savedCase(NUMBER, { lastKnownStatus: 'Case Was Approved' })]);
  disconnect(api);
  await showApp('/saved-cases');
  await expect.element(page.getByText(/^Offline\. Saved statuses as of \d+:\d\d [AP]M\./)).toBeVisible();
  await expect.element(page.getByText('Case Was Approved')).toBeVisible();
  await expect.element(button('Check now')).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible();
});

test('an answer that arrives after the first ones is kept as well', async () => {
  const client = createQueryClient();
  const keeps = (nickname: string) =>
    client.setQueryData([...chosenCasesQueryKey, NUMBER], [savedCase(NUMBER, { nickname })]);
  const kept = async () => JSON.stringify(await get('snapshot', keptStore));
  client.setQueryData(meQueryKey, FREE_USER);
  keeps('Before');
  const end = keepAnswers(client, FREE_USER);
  await expect.poll(kept).toContain('Before');
  keeps('After');
  await expect.poll(kept).toContain('After');
  end();
});

/** Each kind of change of a saved case, as it is made and seen. */
const CHANGES = [
  {
    kind: 'nickname',
    make: () => nameIt('Mother'),
    isShown: () => expect.element(button('Mother')).toBeVisible(),
    isUndone: () => expect.element(button('Add nickname')).toBeVisible(),
    body: { nickname: 'Mother' },
    onOtherDevice: { nickname: 'Theirs' },
    report: 'the nickname was changed to “Theirs” on another device. Your change to “Mother” was not saved.',
  },
  {
    kind: 'frequency',
    make: () => watchIt('Weekly'),
    isShown: () => expect.element(frequency()).toHaveValue('weekly'),
    isUndone: () => expect.element(frequency()).toHaveValue('none'),
    body: { monitoringFrequency: 'weekly' as const },
    onOtherDevice: { monitoringFrequency: 'monthly' as const },
    report:
      'the monitoring was changed to “monthly” on another device. Your change to “weekly” was not saved.',
  },
];

test.for(CHANGES)(
  'a $kind changed without a connection waits, and is sent once when it is back',
  async (change, { api }) => {
    await visit(api, [savedCase(NUMBER)], PRO_USER);
    disconnect(api);
    await showApp('/saved-cases');
    await change.make();
    await expect.element(page.getByText('1 change will be sent when you are back online.')).toBeVisible();
    await change.isShown();

    const changes = api.holds(endpoints.changeSavedCase);
    reconnect(api, [savedCase(NUMBER)], PRO_USER);
    await expect.poll(() => changes.length).toBe(1);
    expect(changes[0]?.body).toEqual(change.body);
    keepsCases(api, [savedCase(NUMBER, change.body)]);
    changes[0]?.answer(savedCase(NUMBER, change.body));
    await expectToast('Back online', 'Your change was saved');
    await expect.element(page.getByText(/pending change|will be sent/)).not.toBeInTheDocument();
    await change.isShown();
    expect(changes).toHaveLength(1);
  },
);

test.for(CHANGES)('a $kind whose answer was lost is not sent again', async (change, { api }) => {
  await visit(api, [savedCase(NUMBER)], PRO_USER);
  disconnect(api);
  await showApp('/saved-cases');
  await change.make();
  reconnect(api, [savedCase(NUMBER, change.body)], PRO_USER);
  await expectToast('Back online');
  expect(api.count(endpoints.changeSavedCase)).toBe(0);
});

test.for(CHANGES)(
  'a $kind changed on another device too is reported with what it is now, and can be replaced',
  async (change, { api }) => {
    await visit(api, [savedCase(NUMBER)], PRO_USER);
    disconnect(api);
    await showApp('/saved-cases');
    await change.make();
    reconnect(api, [savedCase(NUMBER, change.onOtherDevice)], PRO_USER);
    const report = page.getByRole('region', { name: `Couldn’t save ${NUMBER}` });
    await expect.element(report).toMatchTextContent(change.report);
    await expectAccessible();
    api.answers(endpoints.changeSavedCase, savedCase(NUMBER, change.body));
    await report.getByRole('button', { name: 'Save my change' }).click();
    await expect.element(report).not.toBeInTheDocument();
    await expect.poll(() => api.count(endpoints.changeSavedCase)).toBe(1);
  },
);

test('a nickname that was cleared on another device is reported as cleared', async ({ api }) => {
  await visit(api, [savedCase(NUMBER, { nickname: 'Mom' })]);
  disconnect(api);
  await showApp('/saved-cases');
  await button('Mom').click();
  await userEvent.keyboard('Mother');
  await button('Save').click();
  await expectToast('Saved offline');
  reconnect(api, [savedCase(NUMBER)]);
  await expect
    .element(page.getByRole('region', { name: `Couldn’t save ${NUMBER}` }))
    .toMatchTextContent('the nickname was cleared on another device. Your change to “Mother” was not saved.');
});

test.for(CHANGES)('a $kind can be undone until it is sent', async (change, { api }) => {
  await visit(api, [savedCase(NUMBER)], PRO_USER);
  disconnect(api);
  await showApp('/saved-cases');
  await change.make();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.element(page.getByText(/pending change|will be sent/)).not.toBeInTheDocument();
  await change.isUndone();
});

test('a case removed without a connection leaves the list, and is removed once the connection is back', async ({
  api,
}) => {
  await visit(api, [savedCase(NUMBER)]);
  disconnect(api);
  await showApp('/saved-cases');
  await button(`Remove ${NUMBER}`).click();
  await button('Remove').click();
  await expect.element(page.getByText('1 change will be sent when you are back online.')).toBeVisible();
  await expect.element(button(`Remove ${NUMBER}`)).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'No saved cases yet' })).toBeVisible();
  await expect.element(page.getByText(/^You are offline\. Once you are connected again/)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Search for a case' })).not.toBeInTheDocument();

  const removed = api.holds(endpoints.removeSavedCase);
  reconnect(api, [savedCase(NUMBER)]);
  await expect.poll(() => removed.map(({ params }) => params)).toEqual([{ receiptNumber: NUMBER }]);
  keepsCases(api, []);
  removed[0]?.respond(204, undefined);
  await expectToast('Back online', 'Your change was saved');
});

test('a case whose removal waits is not counted', async ({ api }) => {
  await visit(api, [savedCase(NUMBER), savedCase('WAC0000000005')]);
  disconnect(api);
  await showApp('/saved-cases');
  await expect.element(page.getByText('2 cases', { exact: true })).toBeVisible();
  await button(`Remove ${NUMBER}`).click();
  await button('Remove').click();
  await expect.element(page.getByText('1 case', { exact: true })).toBeVisible();
});

test('a hidden page asks for nothing; looked at, it asks whether the server is back', async ({ api }) => {
  await visit(api, [savedCase(NUMBER)]);
  disconnect(api);
  onlineManager.setOnline(true);
  await showApp('/saved-cases');
  await expect.element(page.getByText(/^Offline/)).toBeVisible();
  const before = api.count(endpoints.getMe);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(api.count(endpoints.getMe)).toBe(before);
  visibility.mockRestore();
  askAgain();
  await expect.poll(() => api.count(endpoints.getMe)).toBe(before + 1);
});

test('signing out asks when a change waits, and leaves nothing on the device', async ({ api }) => {
  await changeOffline(api);
  await comeBackUnsent(api);
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.element(page.getByText(/1 change that you made offline has not been sent yet/)).toBeVisible();
  api.answers(endpoints.logOut, { ok: true });
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expectToast('Logged out');
  await expect.poll(() => get('snapshot', keptStore)).toBeUndefined();
  expect(await get('changes', keptStore)).toBeUndefined();
});

test('leaving an ended session asks when a change waits', async ({ api }) => {
  await changeOffline(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  askAgain();
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  const question = page.getByRole('dialog', { name: 'Log out and lose your changes?' });
  await ended.getByRole('button', { name: 'Log out' }).click();
  await expect.element(question).toMatchTextContent(/1 change that you made offline has not been sent yet/);
  await expectAccessible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(ended).toBeVisible();
  expect(JSON.stringify(await get('changes', keptStore))).toContain('Mother');

  await ended.getByRole('button', { name: 'Log out' }).click();
  await question.getByRole('button', { name: 'Log out' }).click();
  await expect.element(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect.poll(() => get('changes', keptStore)).toBeUndefined();
});

test('signing out everywhere says that changes wait', async ({ api }) => {
  await changeOffline(api);
  await comeBackUnsent(api);
  await page.getByTestId('nav-profile').click();
  await page.getByRole('link', { name: 'Security' }).click();
  await button('Log out everywhere').click();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(/1 change that you made offline has not been sent yet/);
});

test('another user who signs in sees nothing of the user before, and nothing of it stays', async ({
  api,
}) => {
  await visit(api, [savedCase(NUMBER)]);
  signedIn(api, { ...FREE_USER, id: '01890a5d-ac96-774b-bcce-b302099a8057', email: 'other@example.test' });
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await expect
    .poll(async () => JSON.stringify(await get('snapshot', keptStore)))
    .toContain('other@example.test');
  expect(JSON.stringify(await get('snapshot', keptStore))).not.toContain(NUMBER);
});

test('an ended session clears the kept answers', async ({ api }) => {
  await visit(api, [savedCase(NUMBER)]);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  await expect.poll(() => get('snapshot', keptStore)).toBeUndefined();
});

test('a page that is stopped in the middle of a write keeps no other page waiting: nothing can follow in its transaction', async () => {
  const later = keptStore('readwrite', (store) => {
    const first = store.put('first', 'of-test');
    return new Promise((resolve) => {
      first.onsuccess = () => resolve(Promise.resolve().then(() => store.put('later', 'of-test')));
    });
  });
  await expect(later).rejects.toThrow(/transaction/);
  expect(await get('of-test', keptStore)).toBe('first');
});

test('a change of what is kept ends with the page, before it has read what it changes', async () => {
  await changeKept<string>('of-test', () => 'before');
  const read = IDBObjectStore.prototype.get;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(function (this: IDBObjectStore, key) {
    queueMicrotask(() => window.dispatchEvent(new Event('pagehide')));
    return read.call(this, key);
  });
  await expect(changeKept<string>('of-test', () => 'after')).rejects.toThrow('The page was left');
  expect(await get('of-test', keptStore)).toBe('before');
  await changeKept<string>('of-test', (before) => `${before}, and again`);
  expect(await get('of-test', keptStore)).toBe('before, and again');
});
