import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { syncSubscription } from '../../api/billing.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { sleep } from '../../lib/sleep.ts';
import { followPaymentReturn } from './follow-payment-return.ts';
import { PAYMENT_SUCCESSFUL, TRIAL_STARTED } from './payment-messages.ts';

/** Takes up a payment that led away from the page and back to '/'. Shows nothing but toasts. */
export function PaymentReturn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { pathname, search } = useLocation();
  const followed = useRef('');

  useEffect(() => {
    const query = new URLSearchParams(search);
    if (pathname !== '/' || !(query.has('payment_intent') || query.has('setup_intent'))) return;
    // Before the address has changed, an effect can come twice.
    if (followed.current === search) return;
    followed.current = search;
    navigate('/', { replace: true });
    void followPaymentReturn(query.get('redirect_status'), {
      sync: () => syncSubscription(client),
      wait: (ms) => sleep(ms),
      success: query.has('setup_intent') ? TRIAL_STARTED : PAYMENT_SUCCESSFUL,
    }).then(toast);
  }, [client, navigate, pathname, search, toast]);
  return null;
}
