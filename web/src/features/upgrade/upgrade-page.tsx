import './upgrade.scss';
import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useOffersPro, usePrices, useSubscription } from '../../api/billing.ts';
import { useMe } from '../../api/session.ts';
import { BenefitList } from '../../components/benefit-list.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { PRO_BENEFITS } from '../../config/pro-benefits.ts';
import { usePageClass } from '../../lib/use-page-class.ts';
import { SendConfirmation } from '../auth/send-confirmation.tsx';
import { PaymentCard } from './payment-card.tsx';
import { PlanPicker } from './plan-picker.tsx';
import { defaultPrice } from './price-words.ts';
import { useCheckout } from './use-checkout.ts';
import { usePayment } from './use-payment.ts';
import { usePaymentProvider } from './use-payment-provider.ts';

/** Lets a person choose how to pay for Pro, and pay. The only screen that loads the payment provider's script. */
export function UpgradePage() {
  const { data: prices, isFetching, refetch } = usePrices();
  const { user } = useMe();
  usePageClass('with-upgrade-page');
  if (!useOffersPro()) return <NotOffered isPro={user?.tier === 'pro'} />;
  return (
    <div className="upgrade-page">
      <PageHeading title={t`Upgrade to Pro`} subtitle={t`Let us monitor your cases for you`} />
      {user && !user.emailVerified ? (
        <ConfirmFirst email={user.email} />
      ) : prices ? (
        <Checkout prices={prices} />
      ) : isFetching ? (
        <Spinner label={t`Initializing payment...`} />
      ) : (
        <PricesMissing onLoad={() => void refetch()} />
      )}
    </div>
  );
}

function Checkout({ prices }: { prices: readonly Price[] }) {
  const [chosen, setChosen] = useState(() => defaultPrice(prices));
  const provider = usePaymentProvider();
  const { checkout, begin, placeAt, move, promotion } = useCheckout(chosen);
  const payment = usePayment(begin);
  const { data: subscription } = useSubscription();
  const { user } = useMe();

  // While it is being paid, the payment has the last word about whether there is something to pay.
  if (checkout.state === 'subscribed' && payment.phase === 'open') return <AlreadySubscribed />;
  // Whether there is an invoice to pay is not known yet; there is no price to choose in any case.
  if (checkout.state === 'preparing' && payment.phase === 'open' && user?.tier === 'pro')
    return <Spinner label={t`Initializing payment...`} />;
  const isOverdue = checkout.state === 'ready' && checkout.overdue;
  const price = (isOverdue && subscription?.price) || chosen;
  return (
    <div className="upgrade-columns">
      <section className="card upgrade-plan" aria-labelledby="upgrade-plan">
        <h2 id="upgrade-plan">Pro</h2>
        {isOverdue ? (
          <p className="mb-0">
            <Trans>Your last payment failed. Pay it here to keep Pro.</Trans>
          </p>
        ) : (
          <PlanPicker
            prices={prices}
            chosen={chosen}
            disabled={payment.phase !== 'open'}
            onChoose={setChosen}
          />
        )}
        <BenefitList benefits={PRO_BENEFITS} />
        <p className="upgrade-cancel">
          <Trans>Cancel anytime</Trans>
        </p>
      </section>
      {price && (
        <PaymentCard
          price={price}
          checkout={checkout}
          payment={payment}
          provider={provider}
          onBegin={begin}
          onPlace={placeAt}
          onMove={move}
          promotion={promotion}
        />
      )}
    </div>
  );
}

/** Where the site has no payments. */
function NotOffered({ isPro }: { isPro: boolean }) {
  return (
    <div className="upgrade-page">
      <PageHeading title="Pro" subtitle={t`This site does not offer Pro`} />
      <section className="card upgrade-message" aria-label="Pro">
        <p>
          {isPro ? (
            <Trans>You have Pro. You can’t buy anything on this site.</Trans>
          ) : (
            <Trans>You can’t buy anything on this site. Everything in the Free plan works.</Trans>
          )}
        </p>
        <p className="upgrade-actions">
          <Link className="btn btn-primary" to="/">
            <Trans>Go to Search</Trans>
          </Link>
        </p>
      </section>
    </div>
  );
}

/** Receipts and notices of payments go to the address: it has to be the user's. */
function ConfirmFirst({ email }: { email: string }) {
  return (
    <section className="card upgrade-message" aria-labelledby="confirm-first">
      <Icon name="mail" size={28} />
      <h2 id="confirm-first">
        <Trans>One step before Pro</Trans>
      </h2>
      <p>
        <Trans>
          Please confirm your email address: open the link we sent to{' '}
          <strong className="typed-email">{email}</strong>, then come back here. Your receipts go to this
          address.
        </Trans>
      </p>
      <p className="upgrade-actions">
        <SendConfirmation />
      </p>
    </section>
  );
}

/** Without a word about what went wrong, but with a way on. */
function PricesMissing({ onLoad }: { onLoad: () => void }) {
  return (
    <section className="card upgrade-plan" aria-labelledby="upgrade-plan">
      <h2 id="upgrade-plan">Pro</h2>
      <BenefitList benefits={PRO_BENEFITS} />
      <p className="upgrade-cancel">
        <Trans>Cancel anytime</Trans>
      </p>
      <Button look="primary" onClick={onLoad}>
        <Trans>Show payment options</Trans>
      </Button>
    </section>
  );
}

/** For someone who has nothing to pay here. */
function AlreadySubscribed() {
  return (
    <section className="card upgrade-message" aria-labelledby="already-subscribed">
      <Icon name="check-circle" size={28} />
      <h2 id="already-subscribed">
        <Trans>Already Subscribed</Trans>
      </h2>
      <p>
        <Trans>You already have an active Pro subscription!</Trans>
      </p>
      <p className="upgrade-actions">
        <Link className="btn btn-primary" to="/">
          <Trans>Go to Search</Trans>
        </Link>
        <Link className="btn btn-outline-secondary" to="/profile">
          <Trans>See your plan</Trans>
        </Link>
      </p>
    </section>
  );
}
