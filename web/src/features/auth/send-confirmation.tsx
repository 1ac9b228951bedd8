import { t } from '@lingui/core/macro';
import { useSendConfirmation } from '../../api/recovery.ts';
import { Button } from '../../components/button.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';

/** Renders the button that sends the link again. */
export function SendConfirmation() {
  const send = useSendConfirmation();
  const toast = useToast();
  const fail = useFailureToast();
  const run = async () => {
    try {
      await send.mutateAsync();
      toast({ title: t`Link sent`, description: t`Check your inbox, and your spam folder.` });
    } catch (error) {
      fail(error, t`Failed to send the link. Please try again.`);
    }
  };
  return (
    <Button disabled={send.isPending} onClick={() => void run()}>
      {send.isPending ? t`Sending...` : t`Send again`}
    </Button>
  );
}
