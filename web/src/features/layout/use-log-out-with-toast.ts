import { useLogOut } from '../../api/session.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Signs out and says how it went. The toast outlives the signed-in screens. */
export function useLogOutWithToast() {
  const logOut = useLogOut();
  const toast = useToast();

  const run = async () => {
    try {
      await logOut.mutateAsync();
    } catch (error) {
      toast({
        title: 'Error',
        description: 'Failed to log out. Please try again.',
        variant: 'destructive',
        error,
      });
      return;
    }
    toast({ title: 'Logged out', description: 'You have been successfully logged out.' });
  };
  return { run, pending: logOut.isPending };
}
