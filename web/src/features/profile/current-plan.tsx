import type { Subscription } from '@casewatch/contracts/billing';
import type { User } from '@casewatch/contracts/identity';
import { BULK_SEARCH_MAX, FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAddsTax, useIsPlanAnswered, useOffersPro, useSubscription } from '../../api/billing.ts';
import { BenefitList } from '../../components/benefit-list.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { SupportLink } from '../../components/support-link.tsx';
import { UpgradeDialog, useUpgradePrompt } from '../../components/upgrade-dialog.tsx';
import { PRIORITY_SUPPORT, proPrice } from '../../config/pro-benefits.ts';
import { offersSupport } from '../../lib/support.ts';
import { usePortal } from '../billing/billing-banner.tsx';
import { billingNotice } from '../billing/billing-notice.ts';
import { ChangeSubscription } from './change-subscription.tsx';
import { Invoices } from './invoices.tsx';
import { endedWords, hasEnded, planFacts, planPrice } from './plan-state.ts';
import { SwitchToYearly } from './switch-to-yearly.tsx';

const freeBenefits = () => [
  t`Search up to ${FREE_SAVED_CASES_MAX} saved cases`,
  t`Single case lookup`,
  t`Basic case status information`,
];
const proBenefits = () => [
  t`Unlimited saved cases`,
  t`Bulk search up to ${BULK_SEARCH_MAX} cases`,
  t`Automated status monitoring`,
  t`Daily, weekly, or monthly frequency`,
  t`Status change notifications`,
  PRIORITY_SUPPORT,
];

/** Renders the plan of the user: what it brings, how long it lasts, and the way to another. */
export function CurrentPlan({ user }: { user: User }) {
  const { data: subscription, error, refetch } = useSubscription({ fresh: true });
  const isPlanAnswered = useIsPlanAnswered();
  const isPro = user.tier === 'pro';
  const offersPro = useOffersPro();
  const addsTax = useAddsTax();
  const usualPrice = proPrice(addsTax);
  return (
    <section className="card profile-card" aria-labelledby="current-plan">
      <div className="plan-head">
        <h2 id="current-plan">
          <Trans>Current Plan</Trans>
        </h2>
        <span className={`status-badge status-badge-${isPro ? 'default' : 'secondary'}`}>
          {isPro ? 'Pro' : t({ message: 'Free', context: 'plan' })}
        </span>
        {isPro && <strong className="plan-head-price">{planPrice(subscription, usualPrice, addsTax)}</strong>}
      </div>
      <div className="plan-benefits">
        <BenefitList benefits={isPro ? proBenefits() : freeBenefits()} />
      </div>
      {subscription && <SubscriptionDetails subscription={subscription} addsTax={addsTax} />}
      {subscription === undefined && error && (
        <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
          <p>
            <Trans>Your subscription could not be loaded.</Trans>
          </p>
        </LoadFailure>
      )}
      {subscription?.status && <Invoices />}
      {isPro
        ? isPlanAnswered &&
          offersSupport() && (
            <div className="profile-row">
              <p>
                {subscription?.status ? (
                  <Trans>
                    You can also{' '}
                    <SupportLink reference={subscription.id} isPro>
                      contact support
                    </SupportLink>{' '}
                    to manage your subscription or payment details.
                  </Trans>
                ) : (
                  <Trans>
                    <SupportLink reference={subscription?.id} isPro>
                      Contact support
                    </SupportLink>{' '}
                    to manage your subscription or payment details.
                  </Trans>
                )}
              </p>
            </div>
          )
        : offersPro
          ? isPlanAnswered && <UpgradeOffer words={offerWords(subscription, usualPrice)} />
          : subscription &&
            hasEnded(subscription) && <p className="profile-row">{endedWords(subscription)}</p>}
    </section>
  );
}

function offerWords(subscription: Subscription | null | undefined, price: string): string {
  if (subscription && hasEnded(subscription)) return endedWords(subscription);
  if (subscription?.trialAvailable) return t`Pro begins with a free trial. Cancel anytime.`;
  return t`Pro is ${price}. Cancel anytime.`;
}

function UpgradeOffer({ words }: { words: string }) {
  const upgrade = useUpgradePrompt();
  return (
    <div className="profile-row">
      <p>{words}</p>
      <Button look="primary" onClick={() => upgrade.ask(t`Full access`)}>
        <Trans>Upgrade to Pro</Trans>
      </Button>
      <UpgradeDialog {...upgrade.dialog} />
    </div>
  );
}

/** Renders the state of the subscription and what can be done about it; nothing where there never was one. */
function SubscriptionDetails({ subscription, addsTax }: { subscription: Subscription; addsTax: boolean }) {
  const { status, tier, paymentFailed } = subscription;
  const portal = usePortal();
  const notice = billingNotice(subscription);
  const facts = planFacts(subscription, addsTax);
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
          <Button disabled={portal.isPending} onClick={portal.open}>
            <Trans>Update payment method and see invoices</Trans>
          </Button>
          <SwitchToYearly subscription={subscription} />
          <ChangeSubscription subscription={subscription} />
        </div>
      )}
    </>
  );
}
