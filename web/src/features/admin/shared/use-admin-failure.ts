import { isAdminEnded } from '../../../api/admin-client.ts';
import { useFailureToast } from '../../../components/toast/toast-provider.tsx';

/** Reports a failure in the server's words, else in the given ones. An ended session has its own screen. */
export function useAdminFailure() {
  const fail = useFailureToast();
  return (error: unknown, fallback: string) => {
    if (!isAdminEnded(error)) fail(error, fallback, 'Error');
  };
}
