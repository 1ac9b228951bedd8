import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTheme } from '../theme/use-theme.ts';
import { paymentAppearance, paymentLocale, tokenOfPage } from './payment-appearance.ts';

interface PaymentElement {
  /** For the element that the provider puts its form into. */
  place: RefObject<HTMLDivElement | null>;
  /** null until the form can be filled in. */
  elements: StripeElements | null;
  hasFailed: boolean;
}

/** Returns the payment provider's own form for one payment, in the colors and the language of the page. */
export function usePaymentElement(stripe: Stripe, clientSecret: string): PaymentElement {
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
    form.on('focus', tellWindowIsFocused);
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
function tellWindowIsFocused(): void {
  window.dispatchEvent(new Event('focus'));
}
