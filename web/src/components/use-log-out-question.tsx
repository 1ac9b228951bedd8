import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useWaitingChanges } from '../api/waiting-changes.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** Returns `ask`, which logs out at once, or asks first where changes that were made offline would be lost; the caller renders `dialog`. */
export function useLogOutQuestion(logOut: () => void) {
  const { changes } = useWaitingChanges();
  const [isAsking, setIsAsking] = useState(false);
  return {
    ask: () => (changes.length > 0 ? setIsAsking(true) : logOut()),
    dialog: isAsking && (
      <Suspense fallback={null}>
        <ConfirmDialog
          show
          title={t`Log out and lose your changes?`}
          confirmLabel={t`Log out`}
          destructive
          onConfirm={() => {
            setIsAsking(false);
            logOut();
          }}
          onHide={() => setIsAsking(false)}
        >
          <UnsentChanges />
        </ConfirmDialog>
      </Suspense>
    ),
  };
}

/** Says how many changes a sign-out would lose, if there are any. */
export function UnsentChanges() {
  const { changes } = useWaitingChanges();
  if (changes.length === 0) return null;
  return (
    <p>
      <Plural
        value={changes.length}
        one="# change that you made offline has not been sent yet."
        other="# changes that you made offline have not been sent yet."
      />
    </p>
  );
}
