import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import { notificationsQueryKey } from '../../api/notification-data.ts';
import { resyncPush } from '../../api/push-subscription.ts';
import { ownPath } from '../../lib/own-path.ts';
import { OPEN_PAGE } from './open-page.ts';

/** As in `show-push.ts`, which only the worker loads. */
const PUSH_ARRIVED = 'casewatch-push-arrived';

/**
 * Keeps this browser's subscription right, reads the list behind the bell again when a message arrives, and goes to the page
 * of a message that is clicked. Returns a function that ends it.
 */
export function followPushes(userId: string, client: QueryClient, goTo: (path: string) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {};
  // After a failure, the next time the app opens is soon enough.
  const resync = () => void resyncPush(userId).catch(() => undefined);
  resync();
  const stopFollowing = i18n.on('change', resync);
  const onMessage = ({ data, ports }: MessageEvent) => {
    if (data?.type === PUSH_ARRIVED) void client.invalidateQueries({ queryKey: notificationsQueryKey });
    if (data?.type !== OPEN_PAGE) return;
    ports[0]?.postMessage(true);
    goTo(ownPath(data.path) ?? '/');
  };
  navigator.serviceWorker.addEventListener('message', onMessage);
  return () => {
    stopFollowing();
    navigator.serviceWorker.removeEventListener('message', onMessage);
  };
}
