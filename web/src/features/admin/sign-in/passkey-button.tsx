import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { useAdminSignInWithPasskey } from '../../../api/admin-passkeys.ts';
import { failureText } from '../../../api/api-error.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { hasPasskeys, isDismissed } from '../../../lib/passkey-support.ts';

/** Opens the admin area with a passkey in place of password and code. */
export function PasskeyButton({ onOpen }: { onOpen: (opened: OpenedAdminArea) => void }) {
  const signIn = useAdminSignInWithPasskey();
  const toast = useToast();
  if (!hasPasskeys()) return null;

  const run = async () => {
    let opened: OpenedAdminArea;
    try {
      opened = await signIn.mutateAsync();
    } catch (error) {
      const fallback = isDismissed(error)
        ? 'No passkey was used. Try again, or sign in with password and code.'
        : 'The passkey could not be used. Sign in with password and code.';
      toast({
        title: 'Failed to authenticate',
        description: failureText(error, fallback),
        variant: 'destructive',
      });
      return;
    }
    toast({ title: 'Admin access granted' });
    onOpen(opened);
  };

  return (
    <button
      type="button"
      className="btn btn-outline-secondary btn-lg"
      disabled={signIn.isPending}
      onClick={() => void run()}
    >
      {signIn.isPending ? 'Waiting for your passkey...' : 'Use a passkey'}
    </button>
  );
}
