import { t } from '@lingui/core/macro';
import { useOffline } from '../../api/offline.ts';
import { useLogOut } from '../../api/session.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useLogOutQuestion } from '../../components/use-log-out-question.tsx';

/** Signs out and says how it went. The toast outlives the signed-in screens; the caller renders `dialog`. */
export function useLogOutWithToast() {
  const isOffline = useOffline();
  const logOut = useLogOut();
  const toast = useToast();

  const run = async () => {
    try {
      await logOut.mutateAsync();
    } catch (error) {
      toast({
        title: t`Error`,
        description: t`Failed to log out. Please try again.`,
        variant: 'destructive',
        error,
      });
      return;
    }
    toast({ title: t`Logged out`, description: t`You have been successfully logged out.` });
  };
  const question = useLogOutQuestion(() => void run());
  const ask = () => {
    if (!isOffline) return question.ask();
    toast({
      title: t`You are offline`,
      description: t`Logging out needs a connection. Until then, lock this device if others use it.`,
    });
  };
  return { ask, dialog: question.dialog, pending: logOut.isPending };
}
