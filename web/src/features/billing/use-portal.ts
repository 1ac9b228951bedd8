import { t } from '@lingui/core/macro';
import { failureText } from '../../api/api-error.ts';
import { useOpenPortal } from '../../api/billing.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { openSite } from '../../lib/open-site.ts';

/** Leads to the payment provider's page for card and invoices, or says that it can't be opened. */
export function usePortal() {
  const { mutateAsync, isPending } = useOpenPortal();
  const toast = useToast();

  const open = async () => {
    try {
      const { url } = await mutateAsync();
      openSite(url);
    } catch (error) {
      toast({
        title: t`Error`,
        description: failureText(error, t`The payment page could not be opened. Please try again.`),
        variant: 'destructive',
        error,
      });
    }
  };
  return { open: () => void open(), isPending };
}
