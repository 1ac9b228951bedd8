import type { Subscription } from '@casewatch/contracts/billing';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { billingNotice } from '../billing/billing-notice.ts';
import { usePortal } from '../billing/use-portal.ts';
import { ChangeSubscription } from './change-subscription.tsx';
import { planFacts } from './plan-state.ts';
import { SwitchToYearly } from './switch-to-yearly.tsx';

/** Renders the state of the subscription and what can be done about it; nothing where there never was one. */
export function SubscriptionDetails({ subscription }: { subscription: Subscription }) {
  const { status, tier, paymentFailed } = subscription;
  const portal = usePortal();
  const notice = billingNotice(subscription);
  const facts = planFacts(subscription);
  const hasPortal = status !== null && (tier === 'pro' || paymentFailed);
  if (facts.length === 0 && !hasPortal) return null;

  return (
    <>
      {notice && (
        <p className="warning-note">
          <Icon name="alert-triangle" />
          <span>{notice.text}</span>
        </p>
      )}
      {facts.length > 0 && (
        <div className="profile-row">
          <dl className="plan-facts">
            {facts.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {hasPortal && (
        <div className="profile-row plan-actions">
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            disabled={portal.isPending}
            onClick={portal.open}
          >
            <Trans>Update payment method and see invoices</Trans>
          </button>
          <SwitchToYearly subscription={subscription} />
          <ChangeSubscription subscription={subscription} />
        </div>
      )}
    </>
  );
}
