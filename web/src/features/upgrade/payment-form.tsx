import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { type FormEvent, useId, useState } from 'react';
import { Spinner } from '../../components/spinner.tsx';
import { PaymentLoadFailure } from './payment-load-failure.tsx';
import { type PaymentKind, payLabel, termsOf, trialRule } from './payment-words.ts';
import { usePaymentElement } from './use-payment-element.ts';

interface PaymentFormProps {
  stripe: Stripe;
  secret: string;
  kind: PaymentKind;
  price: Price;
  trialDays: number;
  trialRefused: boolean;
  isWorking: boolean;
  problem: string | undefined;
  onPay: (elements: StripeElements) => void;
  onReload: () => void;
}

/** Renders the provider's form for the card, what the person agrees to, and the button that pays. */
export function PaymentForm(props: PaymentFormProps) {
  const { stripe, secret, kind, price, trialDays, trialRefused, isWorking, problem, onPay, onReload } = props;
  const { place, elements, hasFailed } = usePaymentElement(stripe, secret);
  const [openedAt] = useState(() => new Date());
  const termsId = useId();
  const problemId = useId();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (elements !== null && !isWorking) onPay(elements);
  };

  if (hasFailed) return <PaymentLoadFailure onRetry={onReload} />;
  return (
    <form className="payment-form" onSubmit={submit}>
      {elements === null && <Spinner label={t`Initializing payment...`} />}
      <div ref={place} className="payment-element" />
      {elements !== null && (
        <>
          <p id={termsId} className="payment-terms">
            {[trialRule(kind, trialRefused), termsOf(kind, price, { now: openedAt, trialDays })]
              .filter(Boolean)
              .join(' ')}
          </p>
          {problem !== undefined && (
            <p id={problemId} className="field-error">
              {problem}
            </p>
          )}
          <button
            type="submit"
            className="btn btn-primary btn-lg"
            // Not `disabled`: the focus would be lost, and with it the place of somebody without a mouse.
            aria-disabled={isWorking}
            aria-describedby={problem === undefined ? termsId : `${problemId} ${termsId}`}
          >
            {isWorking ? t`Processing...` : payLabel(kind, price, trialDays)}
          </button>
        </>
      )}
    </form>
  );
}
