import './billing-banner.scss';
import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useOpenPortal, useSubscription } from '../../api/billing.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFailureToast } from '../../components/toast/toast-provider.tsx';
import { openSite } from '../../lib/open-site.ts';
import { useNoticeDismissal } from '../../lib/use-notice-dismissal.ts';
import { billingNotice } from './billing-notice.ts';

/** Says over every screen that a payment has failed, and what to do; closed, it stays closed for the session. */
export function BillingBanner({ user }: { user: User }) {
  const { data: subscription, isPending } = useSubscription();
  const { tier, paymentFailed = false } = user;
  const notice = billingNotice(subscription ?? { tier, paymentFailed, endsAt: isPending ? ANY_DAY : null });
  const { isDismissed, dismiss } = useNoticeDismissal(KEY, `${user.id} ${notice?.id}`);
  const portal = usePortal();
  if (notice === undefined || isDismissed) return null;

  return (
    <section className="billing-banner" aria-label={t`Payment problem`}>
      <Icon name="alert-triangle" />
      <p aria-busy={isPending}>{notice.text}</p>
      <Button disabled={portal.isPending} onClick={portal.open}>
        <Trans>Update payment method</Trans>
      </Button>
      <button type="button" className="icon-button" aria-label={t`Close the notice`} onClick={dismiss}>
        <Icon name="x" size={18} />
      </button>
    </section>
  );
}

/** Takes the room of the day that is not known yet. */
const ANY_DAY = '2026-12-24T12:00:00Z';
const KEY = 'casewatch:dismissed-notice';

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
