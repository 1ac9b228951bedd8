import type { SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, PRO_USER } from './samples.ts';

type Status = (typeof SUBSCRIPTION_STATUSES)[number];

type Toast = readonly [title: string, spanish: string];
/** The address may call the payment anything; `payment` is the provider's word for it, without one the user has no such payment. */
type Return = readonly [
  when: string,
  address: string,
  tier: 'free' | 'pro',
  status: Status,
  payment: string | undefined,
  toast: Toast,
  trial?: { trialRefused?: true; trialOver?: true },
];

const SUCCESS: Toast = ['Payment Successful', 'Pago realizado'];
const FAILED: Toast = ['Payment Failed', 'El pago falló'];
const NOT_FOUND: Toast = ['Payment not found', 'No encontramos ese pago'];
const payment = (redirectStatus?: string) =>
  `/?payment_intent=pi_1${redirectStatus === undefined ? '' : `&redirect_status=${redirectStatus}`}`;
const setup = (redirectStatus: string) => `/?setup_intent=seti_1&redirect_status=${redirectStatus}`;
const NO_PAYMENT = '/?payment_intent=&redirect_status=succeeded';
const declined = 'requires_payment_method';
const BEGUN: Toast = ['Trial started', 'Comenzó su prueba gratis'];
const NO_TRIAL: Toast = ['No free trial', 'Sin prueba gratis'];
const TRIAL_OVER: Toast = ['The trial is over', 'La prueba terminó'];
const paid = 'succeeded';

const RETURNS: Return[] = [
  // An overdue invoice: Pro goes on until the invoice has been unpaid for long.
  ['an overdue invoice is refused', payment('failed'), 'pro', 'past_due', declined, FAILED],
  ['an overdue invoice is refused, without a status', payment(), 'pro', 'past_due', declined, FAILED],
  ['an overdue invoice is refused, called succeeded', payment(paid), 'pro', 'past_due', declined, FAILED],
  ['an overdue invoice is refused, in capitals', payment('SUCCEEDED'), 'pro', 'past_due', declined, FAILED],
  ['an overdue invoice is paid', payment(paid), 'pro', 'active', paid, SUCCESS],
  ['an overdue invoice is paid, called failed', payment('failed'), 'pro', 'active', paid, SUCCESS],
  // A subscription without a trial.
  ['a first payment is refused', payment('failed'), 'free', 'incomplete', declined, FAILED],
  ['a first payment is made', payment(paid), 'pro', 'active', paid, SUCCESS],
  ['a first payment is made and the address has lost its status', payment(), 'pro', 'active', paid, SUCCESS],
  // A trial.
  ['the card of a trial is taken', setup(paid), 'pro', 'trialing', paid, BEGUN],
  ['the card of a trial is refused', setup('failed'), 'free', 'trialing', declined, FAILED],
  ['a trial is refused', setup(paid), 'free', 'canceled', paid, NO_TRIAL, { trialRefused: true }],
  ['its card is confirmed too late', setup(paid), 'free', 'canceled', paid, TRIAL_OVER, { trialOver: true }],
  // A subscriber, such as one who has switched to yearly payment.
  ['a subscriber’s other payment is refused', payment('failed'), 'pro', 'active', declined, FAILED],
  ['a subscriber opens another user’s payment', payment(paid), 'pro', 'active', undefined, NOT_FOUND],
  ['the address names no payment', NO_PAYMENT, 'pro', 'active', undefined, NOT_FOUND],
];

for (const language of ['en', 'es'] as const) {
  test.for(RETURNS)(
    `${language}: %s`,
    async ([, address, tier, status, payment, toast, { trialRefused, trialOver } = {}], { api }) => {
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
