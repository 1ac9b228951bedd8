import { t } from '@lingui/core/macro';
import { useOffline } from '../api/offline.ts';

interface OnlineOnly {
  isOffline: boolean;
  /** For a control that can't work offline: it stays focusable, and is described by the reason instead of anything else. */
  props: { 'aria-disabled'?: true; 'aria-describedby'?: undefined; title?: string };
}

/** Returns what makes a control rest while the server can't be reached; its handler asks `isOffline` before it acts. */
export function useOnlineOnly(): OnlineOnly {
  const isOffline = useOffline();
  const title = t`You are offline. This needs a connection.`;
  return {
    isOffline,
    props: isOffline ? { 'aria-disabled': true, 'aria-describedby': undefined, title } : {},
  };
}
