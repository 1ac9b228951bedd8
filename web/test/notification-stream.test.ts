import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notification } from '@casewatch/contracts/notifications';
import { focusManager, QueryClient } from '@tanstack/react-query';
import { EventSource } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { notificationsQueryKey } from '../src/api/notification-data.ts';
import { followNotifications, notifyNotificationsChanged } from '../src/api/notification-stream.ts';
import { savedCasesQueryKey } from '../src/api/saved-case-data.ts';

/** The streams that were opened, oldest first. */
let streams: { request: IncomingMessage; response: ServerResponse; open: boolean }[] = [];
let refusals = 0;
const server = createServer((request, response) => {
  const stream = { request, response, open: true };
  streams.push(stream);
  response.once('close', () => {
    stream.open = false;
  });
  if (refusals > 0) {
    refusals -= 1;
    response.writeHead(503).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 10\n\nevent: ready\nid: 1\ndata: {}\n\n');
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser completes an address by its page's; Node has no page.
  class PageEventSource extends EventSource {
    constructor(address: string) {
      super(base + address);
    }
  }
  vi.stubGlobal('EventSource', PageEventSource);
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

let nextUser = 0;
let userId = '';
const ends: (() => void)[] = [];
beforeEach(() => {
  streams = [];
  userId = `user-${nextUser++}`;
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A tab with an empty list that follows the stream; `lookUps` counts how often it loaded the list again. */
function openTab(of = userId) {
  const client = new QueryClient();
  client.setQueryData(notificationsQueryKey, []);
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const end = followNotifications(client, of);
  ends.push(end);
  return {
    end,
    ids: () => client.getQueryData<Notification[]>(notificationsQueryKey)?.map(({ id }) => id),
    caseReads: () =>
      invalidate.mock.calls.filter(([filters]) => filters?.queryKey === savedCasesQueryKey).length,
    lookUps: () =>
      invalidate.mock.calls.filter(([filters]) => filters?.queryKey === notificationsQueryKey).length,
  };
}

function send(id: string, eventId: number): void {
  const notification: Notification = {
    id,
    userId,
    kind: 'status',
    receiptNumber: 'EAC9999103403',
    oldStatus: null,
    newStatus: 'Case Was Approved',
    needsAction: false,
    createdAt: '2026-01-05T12:00:00.000Z',
    read: false,
    order: '1',
  };
  streams
    .at(-1)
    ?.response.write(`event: notification\nid: ${eventId}\ndata: ${JSON.stringify(notification)}\n\n`);
}

test('two tabs share one stream, and both show what comes', async () => {
  const tabs = [openTab(), openTab()];
  await expect.poll(() => tabs.map(({ lookUps }) => lookUps())).toEqual([1, 1]);
  send('n1', 2);
  for (const tab of tabs) await expect.poll(tab.ids).toEqual(['n1']);
  expect(streams).toHaveLength(1);
});

test('what another device changed is read anew in every tab', async () => {
  const tabs = [openTab(), openTab()];
  await expect.poll(() => tabs.map(({ lookUps }) => lookUps())).toEqual([1, 1]);
  streams.at(-1)?.response.write('event: cases-changed\ndata: {}\n\n');
  for (const tab of tabs) await expect.poll(tab.caseReads).toBe(1);
  expect(tabs.map(({ lookUps }) => lookUps())).toEqual([1, 1]);
});

test('a tab that is hidden reads the cases once it is looked at', async () => {
  const tab = openTab();
  await expect.poll(tab.lookUps).toBe(1);
  focusManager.setFocused(false);
  try {
    for (let nth = 0; nth < 2; nth += 1) streams.at(-1)?.response.write('event: cases-changed\ndata: {}\n\n');
    send('n1', 2);
    await expect.poll(tab.ids).toEqual(['n1']);
    // The one is the notification's.
    expect(tab.caseReads()).toBe(1);
    focusManager.setFocused(true);
    expect(tab.caseReads()).toBe(2);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    expect(tab.caseReads()).toBe(2);
  } finally {
    focusManager.setFocused(undefined);
  }
});

test('what happened to the cases while there was no stream is read when there is one again, in every tab', async () => {
  const tabs = [openTab(), openTab()];
  for (const tab of tabs) await expect.poll(tab.lookUps).toBe(1);
  expect(tabs.map(({ caseReads }) => caseReads())).toEqual([0, 0]);
  streams[0]?.response.end();
  for (const tab of tabs) await expect.poll(tab.caseReads).toBe(1);
  expect(tabs.map(({ lookUps }) => lookUps())).toEqual([1, 1]);
});

test('when the tab with the stream closes, another continues after the last event', async () => {
  const first = openTab();
  const second = openTab();
  await expect.poll(second.lookUps).toBe(1);
  send('n1', 2);
  await expect.poll(second.ids).toEqual(['n1']);
  first.end();
  await expect.poll(() => streams.length).toBe(2);
  expect(streams[1]?.request.url).toBe('/api/notifications/stream?after=2');
  await expect.poll(() => streams[0]?.open).toBe(false);
  // Once for the notification, once for what the time between the streams may have brought.
  await expect.poll(second.caseReads).toBe(2);
  send('n2', 3);
  await expect.poll(second.ids).toEqual(['n2', 'n1']);
  expect(first.ids()).toEqual(['n1']);
});

test('a stream that ends is opened again, from where it was, without asking for the list', async () => {
  const tab = openTab();
  await expect.poll(tab.lookUps).toBe(1);
  send('n1', 2);
  await expect.poll(tab.ids).toEqual(['n1']);
  streams[0]?.response.end();
  await expect.poll(() => streams.length).toBe(2);
  expect(streams[1]?.request.headers['last-event-id']).toBe('2');
  send('n2', 3);
  await expect.poll(tab.ids).toEqual(['n2', 'n1']);
  expect(tab.lookUps()).toBe(1);
});

test('a reset asks for the list anew in every tab', async () => {
  const tabs = [openTab(), openTab()];
  for (const tab of tabs) await expect.poll(tab.lookUps).toBe(1);
  streams[0]?.response.write('event: reset\nid: 500\ndata: {}\n\n');
  for (const tab of tabs) await expect.poll(tab.lookUps).toBe(2);
});

test('a stream that was refused is tried again after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    refusals = 1;
    const tab = openTab();
    await vi.waitUntil(() => streams.length === 1);
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(streams).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitUntil(() => streams.length === 2);
    await vi.waitUntil(() => tab.lookUps() === 1);
    expect(tab.caseReads()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a change in one tab reaches the others of the same user only', async () => {
  const mine = openTab();
  const theirs = openTab('another-user');
  await expect.poll(() => [mine.lookUps(), theirs.lookUps()]).toEqual([1, 1]);
  notifyNotificationsChanged(userId);
  await expect.poll(mine.lookUps).toBe(2);
  expect(theirs.lookUps()).toBe(1);
});
