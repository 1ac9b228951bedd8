import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Stripe } from '@stripe/stripe-js';
import { Spinner } from '../../components/spinner.tsx';
import { PAYMENT_PROCESSING } from '../billing/payment-messages.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentLoadFailure } from './payment-load-failure.tsx';
import { UnconfirmedPayment } from './unconfirmed-payment.tsx';
import type { Checkout } from './use-checkout.ts';
import type { usePayment } from './use-payment.ts';
import type { usePaymentProvider } from './use-payment-provider.ts';

interface PaymentCardProps {
  price: Price;
  checkout: Checkout;
  payment: ReturnType<typeof usePayment>;
  provider: ReturnType<typeof usePaymentProvider>;
  onBegin: () => void;
}

/** Renders the card that takes the payment, in whatever state it is. */
export function PaymentCard(props: PaymentCardProps) {
  return (
    <section className="card payment-card" aria-labelledby="payment-details">
      <h2 id="payment-details">
        <Trans>Payment Details</Trans>
      </h2>
      {props.provider.provider?.testPayments && <TestPayments />}
      <PaymentState {...props} />
    </section>
  );
}

function PaymentState({ price, checkout, payment, provider, onBegin }: PaymentCardProps) {
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
  if (provider.hasFailed) return <PaymentLoadFailure error={provider.error} onRetry={provider.retry} />;
  if (provider.provider === undefined || checkout.state !== 'ready')
    return <Spinner label={t`Initializing payment...`} />;

  const { stripe, trialDays }: { stripe: Stripe; trialDays: number } = provider.provider;
  return (
    <>
      {phase === 'waiting' && <Waiting />}
      {/* Kept while waiting: it is needed again when the payment comes to nothing. */}
      <div hidden={phase === 'waiting'}>
        <PaymentForm
          key={checkout.secret}
          stripe={stripe}
          secret={checkout.secret}
          kind={checkout.overdue ? 'overdue' : checkout.intent}
          price={price}
          trialDays={trialDays}
          trialRefused={checkout.trialRefused}
          isWorking={phase !== 'open'}
          problem={problem}
          onPay={(elements) => pay(stripe, elements, checkout.intent)}
          onReload={() => takeUp(checkout.secret)}
        />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div className="upgrade-message">
      <Spinner label={PAYMENT_PROCESSING.description} />
      <p>
        <Trans>You can leave this page. Pro begins by itself as soon as the payment has gone through.</Trans>
      </p>
    </div>
  );
}

function TestPayments() {
  return (
    <p className="warning-note mb-0">
      <span>
        <Trans>
          <strong>Test payments:</strong> no real money moves. Use the card{' '}
          <span className="card-number">4242 4242 4242 4242</span> with any future date, security code and ZIP
          code.
        </Trans>
      </span>
    </p>
  );
}
