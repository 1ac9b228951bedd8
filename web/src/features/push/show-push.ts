import { preferredLanguage } from '@casewatch/contracts/languages';
import type { PushMessage } from '@casewatch/contracts/push-message';
import { openPage } from './open-page.ts';
import { pushWords, unreadableWords } from './push-words.ts';

declare const self: ServiceWorkerGlobalScope;

/** What the worker reports to open tabs, so that they read the list behind the bell again. */
export const PUSH_ARRIVED = 'casewatch-push-arrived';

/** Shows push messages, and opens what a click on one is about. */
export function showPushMessages(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(messageOf(event.data))));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data?.path));
  });
}

async function show(message: PushMessage | undefined): Promise<void> {
  // A browser takes the permission from a site whose messages show nothing.
  if (!message) {
    // The language of the app is known to pages alone.
    const { title, body } = unreadableWords(preferredLanguage(navigator.languages));
    return self.registration.showNotification(title, { body });
  }
  const [shown] = await self.registration.getNotifications({ tag: message.tag });
  if (shown && shown.data?.at > message.at) return;
  const { title, body } = pushWords(message);
  await self.registration.showNotification(title, {
    body,
    lang: message.language,
    tag: message.tag,
    icon: '/icon-192.png',
    data: { id: message.id, at: message.at, path: message.path },
    // A repeat of the same message replaces the first one without a sound.
    ...(shown && shown.data?.id !== message.id ? { renotify: true } : {}),
  });
  for (const tab of await self.clients.matchAll({ type: 'window' })) tab.postMessage({ type: PUSH_ARRIVED });
}

function messageOf(data: PushMessageData | null): PushMessage | undefined {
  try {
    // Encrypted for this browser and signed by the product.
    const message: PushMessage | undefined = data?.json();
    return message;
  } catch {
    return undefined;
  }
}

async function open(path: unknown): Promise<void> {
  const { clients, location } = self;
  await openPage(path, {
    origin: location.origin,
    tabs: await clients.matchAll({ type: 'window' }),
    openWindow: (url) => clients.openWindow(url),
  });
}
