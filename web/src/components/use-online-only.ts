import { useOffline } from '../api/offline.ts';

const REASON = 'You are offline. This needs a connection.';

interface OnlineOnly {
  isOffline: boolean;
  /** For a control that can't work offline: it stays focusable and says why. */
  props: { 'aria-disabled'?: true; title?: string };
}

/** What makes a control rest while the server can't be reached; its handler asks `isOffline` before it acts. */
export function useOnlineOnly(): OnlineOnly {
  const isOffline = useOffline();
  return { isOffline, props: isOffline ? { 'aria-disabled': true, title: REASON } : {} };
}
