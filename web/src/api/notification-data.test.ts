import type { Notification } from '@casewatch/contracts/notifications';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { addNotification, notificationsQueryKey } from './notification-data.ts';
import { savedCasesQueryKey, watchesQueryKey } from './saved-case-data.ts';

const notification = (id: string, order = id === 'old' ? '1' : '2'): Notification => ({
  id,
  userId: 'ada',
  kind: 'status',
  receiptNumber: 'EAC9999103403',
  oldStatus: null,
  newStatus: 'Case Was Approved',
  needsAction: false,
  createdAt: '2026-01-05T12:00:00.000Z',
  read: false,
  order,
});
const shown = () => client.getQueryData<Notification[]>(notificationsQueryKey)?.map(({ id }) => id);

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});

test('a notification that comes stands on top, once', () => {
  client.setQueryData(notificationsQueryKey, [notification('old')]);
  addNotification(client, notification('new'));
  addNotification(client, notification('new'));
  addNotification(client, notification('old'));
  expect(shown()).toEqual(['new', 'old']);
});

test('a change that arrives late stands at its place, and never as the latest', () => {
  client.setQueryData(notificationsQueryKey, [notification('latest', '5'), notification('earlier', '3')]);
  addNotification(client, notification('late', '4'));
  addNotification(client, notification('first', '1'));
  expect(shown()).toEqual(['latest', 'late', 'earlier', 'first']);
});

test('the list never grows beyond what the server would send', () => {
  client.setQueryData(
    notificationsQueryKey,
    Array.from({ length: 50 }, (_, nth) => notification(`n${nth}`)),
  );
  addNotification(client, notification('new'));
  expect([shown()?.length, shown()?.[0]]).toEqual([50, 'new']);
});

test('a list that is being loaded is loaded again, as it may be older than the notification', async () => {
  const answers = [[notification('old')], [notification('new'), notification('old')]];
  const held: (() => void)[] = [];
  const fetching = client.fetchQuery({
    queryKey: notificationsQueryKey,
    queryFn: () => new Promise((resolve) => held.push(() => resolve(answers.shift()))),
  });
  addNotification(client, notification('new'));
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  await fetching;
  expect(client.getQueryState(notificationsQueryKey)?.isInvalidated).toBe(false);
});

test('without a list nothing is shown before the list is there', () => {
  addNotification(client, notification('new'));
  expect(shown()).toBeUndefined();
});

test('the saved cases and their watches are read again, once for each notification', () => {
  const isOld = (queryKey: readonly string[]) => client.getQueryState(queryKey)?.isInvalidated;
  for (const key of [savedCasesQueryKey, watchesQueryKey]) client.setQueryData(key, []);
  client.setQueryData(notificationsQueryKey, []);
  addNotification(client, notification('new'));
  expect([isOld(savedCasesQueryKey), isOld(watchesQueryKey)]).toEqual([true, true]);
  client.setQueryData(savedCasesQueryKey, []);
  addNotification(client, notification('new'));
  expect(isOld(savedCasesQueryKey)).toBe(false);
});
