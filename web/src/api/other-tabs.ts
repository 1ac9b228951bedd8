import type { User } from '@casewatch/contracts/identity';
import type { QueryClient } from '@tanstack/react-query';
import { SESSION_CHANNEL } from '../config/product.ts';
import { forgetUser, goOn, meQueryKey } from './user-data.ts';

/** The signed-in user, as one tab reports it to the others; null after a sign-out. */
interface SessionMessage {
  userId: string | null;
}

/** Notifies the browser's other tabs that the session is now that of `userId`, or ended. */
export function notifyOtherTabs(userId: string | null): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage({ userId } satisfies SessionMessage);
  channel.close();
}

/**
 * Keeps this tab's user the same as the other tabs': a sign-out there signs out here, and a sign-in there is
 * looked up here. A message about the user that this tab shows already changes nothing. It lasts as long as the page.
 */
export function followOtherTabs(client: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
    const shown = client.getQueryData<User | null>(meQueryKey);
    if (shown !== undefined && (shown?.id ?? null) === data.userId) return goOn(client);
    if (shown) forgetUser(client);
    if (data.userId !== null) void client.invalidateQueries({ queryKey: meQueryKey });
  };
}
