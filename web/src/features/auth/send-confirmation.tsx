import { t } from '@lingui/core/macro';
import { failureText } from '../../api/api-error.ts';
import { useSendConfirmation } from '../../api/recovery.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Renders the button that sends the link again. */
export function SendConfirmation() {
  const send = useSendConfirmation();
  const toast = useToast();
  const run = async () => {
    try {
      await send.mutateAsync();
      toast({ title: t`Link sent`, description: t`Check your inbox, and your spam folder.` });
    } catch (error) {
      toast({
        title: t`Error`,
        description: failureText(error, t`Failed to send the link. Please try again.`),
        variant: 'destructive',
        error,
      });
    }
  };
  return (
    <button
      type="button"
      className="btn btn-outline-secondary btn-sm"
      disabled={send.isPending}
      onClick={() => void run()}
    >
      {send.isPending ? t`Sending...` : t`Send again`}
    </button>
  );
}
