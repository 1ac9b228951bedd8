import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useLogOut } from '../../api/session.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Signs out and says how it went. The toast outlives the signed-in screens. `isAsking`: changes made offline would be lost. */
export function useLogOutWithToast() {
  const isOffline = useOffline();
  const { changes } = useWaitingChanges();
  const [isAsking, setIsAsking] = useState(false);
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
  const ask = () => {
    if (isOffline)
      return toast({
        title: t`You are offline`,
        description: t`Logging out needs a connection. Until then, lock this device if others use it.`,
      });
    if (changes.length > 0) setIsAsking(true);
    else void run();
  };
  const confirm = () => {
    setIsAsking(false);
    void run();
  };
  return {
    ask,
    confirm,
    pending: logOut.isPending,
    isAsking,
    cancel: () => setIsAsking(false),
    count: changes.length,
  };
}
