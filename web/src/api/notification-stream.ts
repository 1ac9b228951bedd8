import type { Notification, STREAM_EVENTS } from '@casewatch/contracts/notifications';
import { focusManager, type QueryClient } from '@tanstack/react-query';
import { addNotification, notificationsQueryKey } from './notification-data.ts';
import { refreshSavedCases } from './saved-case-data.ts';

const STREAM_PATH = '/api/notifications/stream';
/** The server refused the stream: until then the list is polled anyhow. */
const TRY_AGAIN_MS = 60_000;
const EVENTS: typeof STREAM_EVENTS = {
  ready: 'ready',
  notification: 'notification',
  casesChanged: 'cases-changed',
  reset: 'reset',
  replaced: 'replaced',
};

/** Messages between tabs: from the tab that holds the stream, and from any tab after a change of its own. */
type LiveMessage =
  | { kind: 'notification'; notification: Notification; eventId: string }
  | { kind: 'changed' }
  | { kind: 'cases-changed' };

const nameFor = (userId: string) => `casewatch-notifications-${userId}`;

/**
 * Keeps the list of notifications up to date from the server's stream. All tabs of a browser share one stream:
 * the tab that holds the lock has it and notifies the others; when that tab closes, the next one continues after the
 * last event that it has received. Where the browser offers no locks, the list is only polled. Returns a function
 * that ends it.
 */
export function followNotifications(client: QueryClient, userId: string): () => void {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') return () => {};
  const ending = new AbortController();
  const { signal } = ending;
  const channel = new BroadcastChannel(nameFor(userId));
  let lastEventId: string | undefined;

  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => apply(data);
  const broadcast = (message: LiveMessage) => {
    if (signal.aborted) return;
    channel.postMessage(message);
    apply(message);
  };

  function apply(message: LiveMessage): void {
    if (message.kind === 'notification') {
      lastEventId = message.eventId;
      addNotification(client, message.notification);
    } else if (message.kind === 'cases-changed') {
      refreshVisibleCases();
    } else {
      void client.invalidateQueries({ queryKey: notificationsQueryKey });
    }
  }

  /** A page in the background reads the list again when it is shown: after a restart of a server all open pages would do so at once. */
  let areCasesStale = false;
  function refreshVisibleCases(): void {
    areCasesStale = !focusManager.isFocused();
    if (!areCasesStale) refreshSavedCases(client);
  }
  const unsubscribe = focusManager.subscribe(() => areCasesStale && refreshVisibleCases());

  const hold = (mayHaveMissed: boolean) =>
    holdStream({ broadcast, signal, lastEventId: () => lastEventId, mayHaveMissed });
  navigator.locks
    .request(nameFor(userId), { ifAvailable: true }, (lock) => lock && hold(false))
    // Another tab has the stream; what happens between that one and the next is missed.
    .then(() => navigator.locks.request(nameFor(userId), { signal }, () => hold(true)))
    // Aborted while it waited for the lock.
    .catch(() => undefined);

  return () => {
    ending.abort();
    channel.close();
    unsubscribe();
  };
}

/** Notifies the browser's other tabs that the list has changed. */
export function notifyNotificationsChanged(userId: string): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(nameFor(userId));
  channel.postMessage({ kind: 'changed' } satisfies LiveMessage);
  channel.close();
}

interface StreamHolder {
  broadcast(message: LiveMessage): void;
  signal: AbortSignal;
  lastEventId(): string | undefined;
  /** Whether there was a time without a stream: changes of cases are not sent again, as notifications are. */
  mayHaveMissed: boolean;
}

/** Resolves when `signal` aborts. The browser reconnects by itself, except after a refusal. */
async function holdStream(holder: StreamHolder): Promise<void> {
  const { broadcast, signal, lastEventId } = holder;
  let { mayHaveMissed } = holder;
  while (!signal.aborted) {
    const after = lastEventId();
    await streamUntilRefused(
      after === undefined ? STREAM_PATH : `${STREAM_PATH}?after=${after}`,
      after === undefined,
    );
    await pause(TRY_AGAIN_MS, signal);
  }

  function streamUntilRefused(address: string, isFirst: boolean): Promise<void> {
    return new Promise((resolve) => {
      const source = new EventSource(address, { withCredentials: true });
      let listMayBeOlder = isFirst;
      const end = () => {
        source.close();
        signal.removeEventListener('abort', end);
        resolve();
      };
      signal.addEventListener('abort', end);
      const open = ({ type }: Event) => {
        if (listMayBeOlder || type === EVENTS.reset) broadcast({ kind: 'changed' });
        if (mayHaveMissed) broadcast({ kind: 'cases-changed' });
        listMayBeOlder = false;
        mayHaveMissed = false;
      };
      source.addEventListener(EVENTS.ready, open);
      source.addEventListener(EVENTS.reset, open);
      source.addEventListener(EVENTS.casesChanged, () => broadcast({ kind: 'cases-changed' }));
      source.addEventListener(EVENTS.notification, (event: MessageEvent<string>) =>
        broadcast({
          kind: 'notification',
          notification: JSON.parse(event.data),
          eventId: event.lastEventId,
        }),
      );
      source.addEventListener('error', () => {
        mayHaveMissed = true;
        if (source.readyState === EventSource.CLOSED) end();
      });
    });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
}
