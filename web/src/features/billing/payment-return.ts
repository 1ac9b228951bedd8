import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useToast } from '../../components/toast/toast-provider.tsx';

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
    void import('./follow-payment-return.ts').then(({ followRedirect }) =>
      followRedirect(client, query, toast),
    );
  }, [client, navigate, pathname, search, toast]);
  return null;
}
