import { t } from '@lingui/core/macro';
import { useOpenPortal } from '../../api/billing.ts';
import { useFailureToast } from '../../components/toast/toast-provider.tsx';
import { openSite } from '../../lib/open-site.ts';

/** Leads to the payment provider's page for card and invoices, or says that it can't be opened. */
export function usePortal() {
  const { mutateAsync, isPending } = useOpenPortal();
  const fail = useFailureToast();

  const open = async () => {
    try {
      const { url } = await mutateAsync();
      openSite(url);
    } catch (error) {
      fail(error, t`The payment page could not be opened. Please try again.`);
    }
  };
  return { open: () => void open(), isPending };
}
