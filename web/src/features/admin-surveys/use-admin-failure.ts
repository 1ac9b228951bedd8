import { isAdminEnded } from '../../api/admin-client.ts';
import { failureText } from '../../api/api-error.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Tells what went wrong in the server's words, else in the given ones. An ended session speaks for itself. */
export function useAdminFailure() {
  const toast = useToast();
  return (error: unknown, fallback: string) => {
    if (isAdminEnded(error)) return;
    toast({ title: 'Error', description: failureText(error, fallback), variant: 'destructive' });
  };
}
