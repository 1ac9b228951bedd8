import type { PlanNotification, StatusNotification } from '@casewatch/contracts/notifications';
import { needsAction } from '@casewatch/contracts/status-guide';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { notifyNotificationsChanged } from '../src/api/notification-stream.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import { caseResult, FREE_USER, savedCase } from './samples.ts';

const NUMBER = 'EAC9999103403';
const OTHER = 'WAC0000000004';

const change = (receiptNumber: string, facts: Partial<StatusNotification> = {}): StatusNotification => ({
  id: `0198c0de-0000-7000-8000-11${receiptNumber.slice(3)}`,
  userId: FREE_USER.id,
  kind: 'status',
  receiptNumber,
  oldStatus: 'Case Was Received',
  newStatus: 'Case Was Approved',
  needsAction: needsAction(facts.newStatus),
  createdAt: '2026-01-05T12:00:00.000Z',
  read: false,
  order: '1',
  ...facts,
});
const bell = () => page.getByTestId('notifications-bell');
const item = () => page.getByTestId('notification-item');
const badge = () => page.getByRole('region', { name: 'Status', exact: true });
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

test('a notification leads to its case: it names the case, is read, and the panel closes', async ({
  api,
}) => {
  signedIn(api);
  const [unread, read] = [change(NUMBER), change(NUMBER, { read: true })];
  api.answers(endpoints.listNotifications, [unread]);
  api.answers(endpoints.listSavedCases, [savedCase(NUMBER, { nickname: 'Green card' })]);
  api.answers(endpoints.markNotificationRead, read);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { caseStatus: 'Case Was Approved' }));
  await showApp('/saved-cases');
  await expect.element(heading('Saved Cases')).toBeVisible();
  await expect.poll(() => document.title).toBe('(1) Saved Cases | Casewatch');
  await bell().click();
  await expect.element(item()).toMatchTextContent(/^Green card EAC9999103403/);
  await expectAccessible();

  api.answers(endpoints.listNotifications, [read]);
  await item().click();
  await expect.element(heading('Green card')).toHaveFocus();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(api.count(endpoints.markNotificationRead)).toBe(1);
  await expect.poll(() => document.title).toBe('Case Was Approved · Green card | Casewatch');

  // The same case again: nothing else takes the focus.
  await bell().click();
  await item().click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(bell()).toHaveFocus();
});

test('a change says what it means for the form of the case and the next step, unless that is not known', async ({
  api,
}) => {
  signedIn(api);
  const unknown = change(OTHER, { newStatus: 'Your Horoscope Was Consulted' });
  api.answers(endpoints.listNotifications, [change(NUMBER), unknown]);
  api.answers(endpoints.listSavedCases, [savedCase(NUMBER, { formType: 'I-485' }), savedCase(OTHER)]);
  await showApp('/');
  await bell().click();
  await expect.element(item().first()).toMatchTextContent(/You are a permanent resident\..*Next step: Watch/);
  await expect.element(item().last()).toMatchTextContent(/Your Horoscope Was Consulted/);
  await expect.element(item().last()).not.toMatchTextContent(/Next step/);
  await expectAccessibleEverywhere();
});

test('a notice about the plan says what happened and why, and leads to where it is put right', async ({
  api,
}) => {
  signedIn(api);
  const ended: PlanNotification = {
    id: '0198c0de-0000-7000-8000-110000000001',
    userId: FREE_USER.id,
    kind: 'plan',
    milestone: 'pro-ended',
    reason: 'payment-failed',
    effectiveAt: '2026-01-05T12:00:00.000Z',
    createdAt: '2026-01-05T12:00:00.000Z',
    read: false,
    order: '1',
  };
  api.answers(endpoints.listNotifications, [ended]);
  api.answers(endpoints.markNotificationRead, { ...ended, read: true });
  api.answers(endpoints.listSavedCases, []);
  api.refuses(endpoints.listPrices, 'PAYMENTS_UNAVAILABLE', 'Payments are not available right now.');
  await showApp('/');
  await bell().click();
  await expect.element(item()).toMatchTextContent(/^Your plan.*Pro has ended/);
  await expect.element(item()).toMatchTextContent(/Pro ended on Jan 5, 2026 because the payment failed\./);
  await expectAccessible();
  await item().click();
  await expect.element(heading('Upgrade to Pro')).toHaveFocus();
  expect(api.count(endpoints.markNotificationRead)).toBe(1);
});

test('a notice that the price changes names both prices and the day', async ({ api }) => {
  signedIn(api);
  const changing: PlanNotification = {
    id: '0198c0de-0000-7000-8000-110000000002',
    userId: FREE_USER.id,
    kind: 'plan',
    milestone: 'price-changing',
    reason: null,
    effectiveAt: '2026-03-01T12:00:00.000Z',
    priceChange: { oldCents: 900, newCents: 1250, yearly: false },
    createdAt: '2026-01-05T12:00:00.000Z',
    read: false,
    order: '1',
  };
  api.answers(endpoints.listNotifications, [changing]);
  api.answers(endpoints.listSavedCases, []);
  await showApp('/');
  await bell().click();
  await expect.element(item()).toMatchTextContent(/^Your plan.*The price of Pro changes on Mar 1, 2026/);
  await expect
    .element(item())
    .toMatchTextContent(/\$12\.50 a month instead of \$9\..*cancel on your profile page/);
  await expectAccessible();
});

test('from one case to the other, the page is the new one’s, with the focus on its heading', async ({
  api,
}) => {
  signedIn(api);
  api.answers(endpoints.listNotifications, [change(OTHER, { read: true })]);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(`/cases/${NUMBER}`);
  await expect.element(heading(NUMBER)).toBeVisible();
  api.answers(endpoints.lookUpCase, caseResult(OTHER));
  await bell().click();
  await item().click();
  await expect.element(heading(OTHER)).toHaveFocus();
  await expect.element(heading(NUMBER)).not.toBeInTheDocument();
});

test('a change that comes while the page is open is announced and counted in the title, what was there is not', async ({
  api,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
  signedIn(api);
  api.answers(endpoints.listNotifications, [change(NUMBER)]);
  await showApp('/saved-cases');
  await expect.poll(() => document.title).toBe('(1) Saved Cases | Casewatch');
  const announced = page.getByTestId('news-announcement').element();
  expect(announced.textContent).toBe('');
  api.answers(endpoints.listNotifications, [
    change(OTHER, { newStatus: 'Card Was Mailed To Me' }),
    change(NUMBER),
  ]);
  await vi.advanceTimersByTimeAsync(30_000);
  await expect.poll(() => document.title).toBe('(2) Saved Cases | Casewatch');
  expect(announced.textContent).toBe(`Case ${OTHER}: Card Was Mailed To Me`);
});

test('a change that the list brings before the stream is shown on the page of its case, too', async ({
  api,
}) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { caseStatus: 'Case Was Received' }));
  await showApp(`/cases/${NUMBER}`);
  await expect.element(badge()).toMatchTextContent('Case Was Received');
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { caseStatus: 'Case Was Approved' }));
  api.answers(endpoints.listNotifications, [change(NUMBER)]);
  // As "Mark all read" in another tab does: the list is asked for at once.
  notifyNotificationsChanged(FREE_USER.id);
  await expect.element(badge()).toMatchTextContent('Case Was Approved');
  await settle();
  expect(api.count(endpoints.lookUpCase)).toBe(2);
});

test('a list that could not be loaded says so instead of that there is nothing, and is loaded on request', async ({
  api,
}) => {
  signedIn(api);
  api.refuses(endpoints.listNotifications, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await bell().click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect.element(panel).toMatchTextContent(/Your notifications could not be loaded\./);
  await expect.element(panel).not.toMatchTextContent(/No notifications/);
  await expectAccessibleEverywhere();
  const lists = api.holds(endpoints.listNotifications);
  await button('Try again').click();
  await expect.element(panel).toMatchTextContent(/Loading notifications\.\.\./);
  for (const list of lists) list.answer([change(NUMBER)]);
  await expect.element(item()).toBeVisible();
  expect(panel.element().contains(document.activeElement)).toBe(true);
});

test('what comes while all notifications are marked as read stays unread', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listNotifications, [change(NUMBER)]);
  const marks = api.holds(endpoints.markAllNotificationsRead);
  await showApp('/saved-cases');
  await bell().click();
  await button('Mark all read').click();
  await expect.poll(() => marks.length).toBe(1);
  api.answers(endpoints.listNotifications, [change(OTHER), change(NUMBER)]);
  notifyNotificationsChanged(FREE_USER.id);
  await expect.element(item().first()).toMatchTextContent(OTHER);
  const lists = api.holds(endpoints.listNotifications);
  marks[0]?.answer({ ok: true, count: 1 });
  await expectToast('All notifications marked as read');
  await expect.element(page.getByTestId('notifications-badge')).toMatchTextContent('1');
  for (const list of lists) list.answer([change(OTHER), change(NUMBER, { read: true })]);
});

test('notifications that could not be marked as read stay unread, and a toast says why', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listNotifications, [change(NUMBER)]);
  api.refuses(endpoints.markAllNotificationsRead, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await bell().click();
  await button('Mark all read').click();
  await expectToast('Error', 'Failed to mark the notifications as read. Please try again.');
  await expect.element(page.getByTestId('notification-dot')).toBeVisible();
});

test('the link of an e-mail opens the case of its notification, without naming it', async ({ api }) => {
  signedIn(api);
  const held = api.holds(endpoints.markNotificationRead);
  await showApp(`/notifications/${change(NUMBER).id}`);
  await expect.element(page.getByText('Opening your case...')).toBeVisible();
  expect(held[0]?.params).toEqual({ id: change(NUMBER).id });
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  for (const call of held) call.answer(change(NUMBER, { read: true }));
  await expect.element(heading(NUMBER)).toBeVisible();
});

test('a link to a notification that is not this user’s says so, and one that got lost can be tried again', async ({
  api,
}) => {
  signedIn(api);
  api.loses(endpoints.markNotificationRead);
  await showApp(`/notifications/${change(NUMBER).id}`);
  await expect.element(heading('Your case could not be opened')).toBeVisible();
  api.refuses(endpoints.markNotificationRead, 'NOT_FOUND');
  await button('Try again').click();
  await expect.element(heading('Notification not found')).toBeVisible();
  await expectAccessible();
});

test.for([
  ['theme-toggle', 'Switch to dark theme'],
  ['notifications-bell', 'Notifications'],
  ['user-menu', 'User menu'],
] as const)('the %s has a tooltip', async ([id, text], { api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  const tool = page.getByTestId(id);
  await expect.element(tool).toBeVisible();
  (tool.element() as HTMLElement).focus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}');
  await expect.element(tool).toHaveFocus();
  await expect.element(page.getByRole('tooltip')).toMatchTextContent(text);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('tooltip')).not.toBeInTheDocument();
});
