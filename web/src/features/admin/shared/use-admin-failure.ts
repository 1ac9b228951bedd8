import { isAdminEnded } from '../../../api/admin-client.ts';
import { failureText } from '../../../api/api-error.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';

/** Reports a failure in the server's words, else in the given ones. An ended session has its own screen. */
export function useAdminFailure() {
  const toast = useToast();
  return (error: unknown, fallback: string) => {
    if (isAdminEnded(error)) return;
    toast({ title: 'Error', description: failureText(error, fallback), variant: 'destructive', error });
  };
}
