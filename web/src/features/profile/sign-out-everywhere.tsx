import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLogOutEverywhere } from '../../api/profile.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { UnsentChanges } from '../../components/use-log-out-question.tsx';

/** Ends every session of the account, after asking. The routes show the way out by themselves. */
export function SignOutEverywhere() {
  const [isAsking, setIsAsking] = useState(false);
  const logOut = useLogOutEverywhere();
  const toast = useToast();
  const report = useErrorToast();

  const run = async () => {
    try {
      await logOut.mutateAsync();
      toast({ title: t`Logged out`, description: t`You have been logged out on all devices.` });
    } catch (error) {
      setIsAsking(false);
      report(error, t`Failed to log out. Please try again.`);
    }
  };

  return (
    <div className="profile-row">
      <p>
        <Trans>
          Lost a device, or signed in on one that is not yours? Log out on all devices, including this one.
        </Trans>
      </p>
      <Button onClick={() => setIsAsking(true)}>
        <Trans>Log out everywhere</Trans>
      </Button>
      <ConfirmDialog
        show={isAsking}
        title={t`Log out everywhere?`}
        confirmLabel={t`Log out`}
        pending={logOut.isPending}
        onConfirm={() => void run()}
        onHide={() => setIsAsking(false)}
      >
        <p>
          <Trans>You will be logged out on every device, including this one.</Trans>
        </p>
        <UnsentChanges />
      </ConfirmDialog>
    </div>
  );
}
