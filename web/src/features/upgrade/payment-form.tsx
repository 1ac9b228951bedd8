import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { type FormEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { type Discount, useAddsTax } from '../../api/billing.ts';
import { Spinner } from '../../components/spinner.tsx';
import { dollars } from '../../lib/format-number.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { useTheme } from '../theme/theme-toggle.tsx';
import { paymentAppearance, paymentLocale, tokenOfPage } from './payment-appearance.ts';
import { PaymentLoadFailure } from './payment-load-failure.tsx';
import {
  endOfDiscount,
  type PaymentKind,
  payLabel,
  taxNote,
  termsOf,
  termsOfDiscount,
  trialRule,
} from './payment-words.ts';
import type { Due } from './use-checkout.ts';

interface PaymentFormProps {
  stripe: Stripe;
  secret: string;
  kind: PaymentKind;
  price: Price;
  trialDays: number;
  trialRefused: boolean;
  /** What is charged with tax or less the discount, in place of the price. */
  due: Due | undefined;
  discount: Discount | undefined;
  isWorking: boolean;
  problem: string | undefined;
  onPay: (elements: StripeElements) => void;
  onReload: () => void;
}

/** Renders the provider's form for the card, what the person agrees to, and the button that pays. */
export function PaymentForm(props: PaymentFormProps) {
  const {
    stripe,
    secret,
    kind,
    trialDays,
    trialRefused,
    due,
    discount,
    isWorking,
    problem,
    onPay,
    onReload,
  } = props;
  const price = due ? { ...props.price, amount: due.amount } : props.price;
  const { place, elements, hasFailed } = usePaymentElement(stripe, secret);
  const [openedAt] = useState(() => new Date(serverNowMs()));
  const addsTax = useAddsTax();
  const ends = discount !== undefined && discount.duration !== 'forever' && kind !== 'overdue';
  const first = { now: openedAt, trialDays };
  const terms = ends
    ? termsOfDiscount(
        kind === 'setup',
        { price: props.price, due: price.amount, endsAt: endOfDiscount(discount, props.price), addsTax },
        first,
      )
    : termsOf(kind, price, first);
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
            {[trialRule(kind, trialRefused), terms, taxNote(due)].filter(Boolean).join(' ')}
          </p>
          {problem !== undefined && (
            <p id={problemId} className="field-error">
              {problem}
            </p>
          )}
          <button
            type="submit"
            className="btn btn-primary btn-lg"
            // Not `disabled`: the focus would be lost, and with it the place of a user without a mouse.
            aria-disabled={isWorking}
            aria-describedby={problem === undefined ? termsId : `${problemId} ${termsId}`}
          >
            {isWorking
              ? t`Processing...`
              : ends && kind === 'payment'
                ? t`Subscribe and pay ${dollars(price.amount)}`
                : payLabel(kind, price, trialDays)}
          </button>
        </>
      )}
    </form>
  );
}

interface PaymentElement {
  /** For the element that the provider puts its form into. */
  place: RefObject<HTMLDivElement | null>;
  /** null until the form can be filled in. */
  elements: StripeElements | null;
  hasFailed: boolean;
}

/** Returns the payment provider's own form for one payment, in the colors and the language of the page. */
function usePaymentElement(stripe: Stripe, clientSecret: string): PaymentElement {
  const place = useRef<HTMLDivElement>(null);
  const [group, setGroup] = useState<StripeElements | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const { theme } = useTheme();
  const locale = paymentLocale();
  const looksNow = useEffectEvent(() => ({ appearance: paymentAppearance(theme, tokenOfPage), locale }));

  useEffect(() => {
    if (place.current === null) return;
    const made = stripe.elements({ clientSecret, ...looksNow() });
    const form = made.create('payment', { layout: 'tabs' });
    form.on('ready', () => setState('ready'));
    form.on('focus', notifyWindowOfFocus);
    form.on('loaderror', () => setState('failed'));
    form.mount(place.current);
    setGroup(made);
    return () => {
      setGroup(null);
      setState('loading');
      form.destroy();
    };
  }, [stripe, clientSecret]);

  useEffect(() => {
    void group?.update({ appearance: paymentAppearance(theme, tokenOfPage), locale });
  }, [group, theme, locale]);

  return { place, elements: state === 'ready' ? group : null, hasFailed: state === 'failed' };
}

/**
 * To the page it looks as if the window had lost the focus to another one, for which toasts stay until it is back;
 * but it has only gone into the form's frame.
 */
function notifyWindowOfFocus(): void {
  window.dispatchEvent(new Event('focus'));
}
