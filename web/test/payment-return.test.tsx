import type { SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, PRO_USER } from './samples.ts';

type Status = (typeof SUBSCRIPTION_STATUSES)[number];

interface Return {
  when: string;
  address: string;
  tier: 'free' | 'pro';
  status: Status;
  /** The provider's word for the payment; without one the user has no such payment. */
  payment?: string;
  trialRefused?: true;
  trialOver?: true;
  toast: [title: string, spanish: string];
}

const SUCCESS: Return['toast'] = ['Payment Successful', 'Pago realizado'];
const FAILED: Return['toast'] = ['Payment Failed', 'El pago falló'];
const NOT_FOUND: Return['toast'] = ['Payment not found', 'No encontramos ese pago'];
const payment = (redirectStatus?: string) =>
  `/?payment_intent=pi_1${redirectStatus === undefined ? '' : `&redirect_status=${redirectStatus}`}`;
const setup = (redirectStatus: string) => `/?setup_intent=seti_1&redirect_status=${redirectStatus}`;
const declined = 'requires_payment_method';

const RETURNS: Return[] = [
  // An overdue invoice: Pro goes on until the invoice has been unpaid for long.
  {
    when: 'an overdue invoice is refused',
    address: payment('failed'),
    tier: 'pro',
    status: 'past_due',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'an overdue invoice is refused and the address has lost its status',
    address: payment(),
    tier: 'pro',
    status: 'past_due',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'an overdue invoice is refused and the address was changed to say succeeded',
    address: payment('succeeded'),
    tier: 'pro',
    status: 'past_due',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'an overdue invoice is refused and the address has a word of nobody',
    address: payment('SUCCEEDED'),
    tier: 'pro',
    status: 'past_due',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'an overdue invoice is paid',
    address: payment('succeeded'),
    tier: 'pro',
    status: 'active',
    payment: 'succeeded',
    toast: SUCCESS,
  },
  {
    when: 'an overdue invoice is paid, whatever the address says',
    address: payment('failed'),
    tier: 'pro',
    status: 'active',
    payment: 'succeeded',
    toast: SUCCESS,
  },
  // A subscription without a trial.
  {
    when: 'a first payment is refused',
    address: payment('failed'),
    tier: 'free',
    status: 'incomplete',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'a first payment is made',
    address: payment('succeeded'),
    tier: 'pro',
    status: 'active',
    payment: 'succeeded',
    toast: SUCCESS,
  },
  {
    when: 'a first payment is made and the address has lost its status',
    address: payment(),
    tier: 'pro',
    status: 'active',
    payment: 'succeeded',
    toast: SUCCESS,
  },
  // A trial.
  {
    when: 'the card of a trial is taken',
    address: setup('succeeded'),
    tier: 'pro',
    status: 'trialing',
    payment: 'succeeded',
    toast: ['Trial started', 'Comenzó su prueba gratis'],
  },
  {
    when: 'the card of a trial is refused',
    address: setup('failed'),
    tier: 'free',
    status: 'trialing',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'a trial is refused',
    address: setup('succeeded'),
    tier: 'free',
    status: 'canceled',
    payment: 'succeeded',
    trialRefused: true,
    toast: ['No free trial', 'Sin prueba gratis'],
  },
  {
    when: 'the card of a trial is confirmed after the trial has ended',
    address: setup('succeeded'),
    tier: 'free',
    status: 'canceled',
    payment: 'succeeded',
    trialOver: true,
    toast: ['The trial is over', 'La prueba terminó'],
  },
  // A subscriber, such as one who has switched to yearly payment.
  {
    when: 'a subscriber’s other payment is refused',
    address: payment('failed'),
    tier: 'pro',
    status: 'active',
    payment: declined,
    toast: FAILED,
  },
  {
    when: 'a subscriber opens the address of another user’s payment',
    address: payment('succeeded'),
    tier: 'pro',
    status: 'active',
    toast: NOT_FOUND,
  },
  {
    when: 'the address names no payment at all',
    address: '/?payment_intent=&redirect_status=succeeded',
    tier: 'pro',
    status: 'active',
    toast: NOT_FOUND,
  },
];

for (const language of ['en', 'es'] as const) {
  test.for(RETURNS)(
    `${language}: $when`,
    async ({ address, tier, status, payment, trialRefused, trialOver, toast }, { api }) => {
      await showLanguage(language);
      signedIn(api, tier === 'pro' ? PRO_USER : FREE_USER);
      const standing = { tier, status, ...(trialRefused ? { trialRefused } : {}) };
      api.answers(endpoints.createSubscription, standing);
      if (payment) api.answers(endpoints.confirmPayment, { ...standing, trialOver, paymentStatus: payment });
      else api.refuses(endpoints.confirmPayment, 'NOT_FOUND');
      await showApp(address);
      await expectToast(toast[language === 'en' ? 0 : 1]);
    },
  );
}

test('a payment of an overdue invoice that the bank still works on is not successful until it is', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.createSubscription, { tier: 'pro', status: 'past_due' });
  const reads = api.holds(endpoints.confirmPayment);
  await showApp(payment('processing'));
  await expect.poll(() => reads.length).toBe(1);
  reads[0]?.answer({ tier: 'pro', status: 'past_due', paymentStatus: 'processing' });
  await expect.poll(() => reads.length).toBe(2);
  expect(document.querySelector('.toast-card')).toBeNull();
  reads[1]?.answer({ tier: 'pro', status: 'active', paymentStatus: 'succeeded' });
  await expectToast('Payment Successful');
});

test('a payment that can’t be read now is successful only when the address and the invoice say so', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  api.refuses(endpoints.confirmPayment, 'PAYMENTS_UNAVAILABLE');
  const syncs = api.holds(endpoints.createSubscription);
  await showApp(payment('succeeded'));
  await expect.poll(() => syncs.length).toBe(1);
  syncs[0]?.answer({ tier: 'pro', status: 'past_due' });
  await expect.poll(() => syncs.length).toBe(2);
  expect(document.querySelector('.toast-card')).toBeNull();
  syncs[1]?.answer({ tier: 'pro', status: 'active' });
  await expectToast('Payment Successful');
});
