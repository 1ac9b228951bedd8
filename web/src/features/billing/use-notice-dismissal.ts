import { useState } from 'react';

const KEY = 'casewatch:dismissed-notice';

/** Whether the user has closed a notice in this session of the browser's tab, and the way to close it. */
export function useNoticeDismissal(userId: string, noticeId: string | undefined) {
  const [dismissed, setDismissed] = useState(readDismissed);
  const name = `${userId} ${noticeId}`;
  return {
    isDismissed: dismissed === name,
    dismiss: () => {
      setDismissed(name);
      try {
        sessionStorage.setItem(KEY, name);
      } catch {
        // Storage is forbidden or full: the notice comes back with the next load of the page.
      }
    },
  };
}

function readDismissed(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
