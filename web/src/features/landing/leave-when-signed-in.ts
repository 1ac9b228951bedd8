import { SESSION_CHANNEL } from '../../config/product.ts';

/**
 * Loads the page anew, and with it the app, when someone signs in in another tab, or when the browser brings the
 * page back from its memory: it can't know what has happened since.
 */
export function leaveWhenSignedIn(): void {
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.onmessage = (event: MessageEvent<{ userId: string | null }>) => {
    if (event.data.userId !== null) window.location.reload();
  };
}
