import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { syncSubscription, type TaxAddress, useTakesPromotionCodes } from '../../api/billing.ts';
import { useLatestSignal } from '../../api/use-latest-signal.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { SupportOfUser } from '../../components/support-link.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { sleep } from '../../lib/sleep.ts';
import { offersSupport } from '../../lib/support.ts';
import { followPaymentReturn } from '../billing/follow-payment-return.ts';
import { CONFIRMATION_FAILED, PAYMENT_PROCESSING, PAYMENT_SUCCESSFUL } from '../billing/payment-messages.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentLoadFailure } from './payment-load-failure.tsx';
import { PromotionField } from './promotion-field.tsx';
import { TaxAddressForm } from './tax-address-form.tsx';
import type { Checkout, PromotionChoice } from './use-checkout.ts';
import type { usePayment } from './use-payment.ts';
import type { usePaymentProvider } from './use-payment-provider.ts';

interface PaymentCardProps {
  price: Price;
  checkout: Checkout;
  payment: ReturnType<typeof usePayment>;
  provider: ReturnType<typeof usePaymentProvider>;
  onBegin: () => void;
  onPlace: (address: TaxAddress) => void;
  onMove: () => void;
  promotion: PromotionChoice;
}

/** Renders the card that takes the payment, in whatever state it is. */
export function PaymentCard(props: PaymentCardProps) {
  return (
    <section className="card payment-card" aria-labelledby="payment-details">
      <h2 id="payment-details">
        <Trans>Payment details</Trans>
      </h2>
      {props.provider.provider?.testPayments && <TestPayments />}
      <PaymentState {...props} />
    </section>
  );
}

function PaymentState(props: PaymentCardProps) {
  const { price, checkout, payment, provider, onBegin, onPlace, onMove, promotion } = props;
  const takesCodes = useTakesPromotionCodes();
  const { phase, problem, pay, takeUp } = payment;
  if (phase === 'unconfirmed') return <UnconfirmedPayment />;
  if (checkout.state === 'failed')
    return (
      <PaymentLoadFailure
        text={t`Failed to initialize payment. Please try again.`}
        error={checkout.error}
        onRetry={onBegin}
      />
    );
  if (checkout.state === 'address')
    return <TaxAddressForm before={checkout.before} problem={checkout.problem} onSubmit={onPlace} />;
  if (provider.hasFailed) return <PaymentLoadFailure error={provider.error} onRetry={provider.retry} />;
  if (provider.provider === undefined || checkout.state !== 'ready')
    return <Spinner label={t`Initializing payment...`} />;

  const { stripe, trialDays }: { stripe: Stripe; trialDays: number } = provider.provider;
  return (
    <>
      {phase === 'waiting' && <Waiting />}
      {/* Kept while waiting: it is needed again when the payment comes to nothing. */}
      <div hidden={phase === 'waiting'}>
        {takesCodes && !checkout.overdue && (
          <PromotionField promotion={promotion} discount={checkout.discount} disabled={phase !== 'open'} />
        )}
        <PaymentForm
          key={checkout.secret}
          stripe={stripe}
          secret={checkout.secret}
          kind={checkout.overdue ? 'overdue' : checkout.intent}
          price={price}
          trialDays={trialDays}
          trialRefused={checkout.trialRefused}
          due={checkout.due}
          discount={checkout.discount}
          isWorking={phase !== 'open'}
          problem={problem}
          onPay={(elements) => pay(stripe, elements, checkout.intent)}
          onReload={() => takeUp(checkout.secret)}
        />
        {checkout.due?.tax !== undefined && !checkout.overdue && phase === 'open' && (
          <button type="button" className="btn btn-link px-0" onClick={onMove}>
            <Trans>Change location</Trans>
          </button>
        )}
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div className="upgrade-message">
      <Spinner label={PAYMENT_PROCESSING.description} />
      <p>
        <Trans>You can leave this page. Pro starts automatically as soon as the payment goes through.</Trans>
      </p>
    </div>
  );
}

function TestPayments() {
  return (
    <p className="warning-note mb-0">
      <span>
        <Trans>
          <strong>Test payments:</strong> no real money is charged. Use the card{' '}
          <span className="card-number">4242 4242 4242 4242</span> with any future date, security code and ZIP
          or postal code.
        </Trans>
      </span>
    </p>
  );
}

/** Renders what is paid while Pro has not begun: keeps anyone from paying again, and looks again on request. */
function UnconfirmedPayment() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const nextSignal = useLatestSignal();
  const [isChecking, setIsChecking] = useState(false);

  const check = async () => {
    const signal = nextSignal();
    const page = window.location.pathname;
    setIsChecking(true);
    try {
      const message = await followPaymentReturn(null, {
        sync: () => syncSubscription(client),
        // The provider has said so in this browser.
        readPayment: async () => 'succeeded',
        wait: (ms) => sleep(ms, signal),
      });
      if (signal.aborted) return;
      const hasArrived = message === PAYMENT_SUCCESSFUL;
      toast(hasArrived ? message : CONFIRMATION_FAILED);
      // Leaving has begun where the address is another one.
      if (hasArrived && window.location.pathname === page) return navigate('/');
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    setIsChecking(false);
  };

  return (
    <div className="upgrade-message">
      <Icon name="alert-triangle" size={28} />
      <p>{offersSupport() ? CONFIRMATION_FAILED.description : CONFIRMATION_FAILED.support.otherwise}</p>
      <p>
        <Trans>You don’t need to pay again.</Trans> <SupportOfUser />
      </p>
      <Button look="primary" aria-disabled={isChecking} onClick={() => !isChecking && void check()}>
        {isChecking ? t`Checking...` : t`Check again`}
      </Button>
    </div>
  );
}
