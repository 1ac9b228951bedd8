import { useState } from 'react';

/** Whether the notice of a name has been closed in this session of the browser's tab, and the way to close it. */
export function useNoticeDismissal(key: string, name: string) {
  const [dismissed, setDismissed] = useState(() => readDismissed(key));
  return {
    isDismissed: dismissed === name,
    dismiss: () => {
      // The button goes with the notice.
      document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
      setDismissed(name);
      try {
        sessionStorage.setItem(key, name);
      } catch {
        // Storage is forbidden or full: the notice comes back with the next load of the page.
      }
    },
  };
}

function readDismissed(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
