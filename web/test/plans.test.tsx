import type { Subscription } from '@casewatch/contracts/billing';
import { vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { BILLING_CONFIG, FREE_USER, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

const MONTHLY: Subscription = {
  ...NO_SUBSCRIPTION,
  tier: 'pro',
  status: 'active',
  price: { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
  renewsAt: '2026-12-24T12:00:00.000Z',
  canCancel: true,
  canSwitchToYearly: true,
  trialAvailable: false,
};
const plan = () => page.getByRole('region', { name: 'Current Plan' });

function onProfile(api: FakeApi, subscription: Subscription) {
  signedIn(api, subscription.tier === 'pro' ? PRO_USER : FREE_USER);
  api.answers(endpoints.getSubscription, subscription);
  api.answers(endpoints.listInvoices, []);
}

test('a visitor who wants the trial keeps it in view at sign-up, which then leads to it', async ({ api }) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT', 'Please sign in to continue.');
  await showApp('/');
  const link = page.getByRole('link', { name: 'Start Pro Trial' });
  await expect.element(link).toHaveAttribute('href', '/auth?next=%2Fupgrade');
  await link.click();
  await expect.element(page.getByText(/start your 14-day free trial of Pro/)).toBeVisible();
  await expect.element(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessibleEverywhere();
});

test('a failed payment is shown from the first paint, and nothing moves when its deadline arrives', async ({
  api,
}) => {
  await page.viewport(390, 844);
  signedIn(api, { ...PRO_USER, paymentFailed: true });
  const held = api.holds(endpoints.getSubscription);
  await showApp('/');
  const banner = page.getByRole('region', { name: 'Payment problem' });
  await expect.element(banner).toBeVisible();
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toBeVisible();
  const top = () => heading.element().getBoundingClientRect().top;
  const before = top();
  await expect.element(banner.getByText(/last payment failed/)).not.toBeVisible();
  held[0]?.answer({
    ...MONTHLY,
    status: 'past_due',
    paymentFailed: true,
    endsAt: '2026-12-31T12:00:00.000Z',
  });
  await expect.element(banner).toMatchTextContent(/before Dec 31, 2026 to keep Pro\./);
  await expect.element(banner.getByText(/last payment failed/)).toBeVisible();
  expect(top()).toBe(before);
});

test('a failed payment is shown although the subscription could not be loaded', async ({ api }) => {
  signedIn(api, { ...PRO_USER, paymentFailed: true });
  api.refuses(endpoints.getSubscription, 'UNAVAILABLE', 'Please try again.');
  await showApp('/');
  const text = page.getByText('Your last payment failed. Update your payment method to keep Pro.');
  await expect.element(text).toBeVisible();
});

test('the notice disappears once the payment was made', async ({ api }) => {
  signedIn(api, { ...PRO_USER, paymentFailed: true });
  api.answers(endpoints.getSubscription, MONTHLY);
  await showApp('/');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settle();
  await expect.element(page.getByRole('region', { name: 'Payment problem' })).not.toBeInTheDocument();
});

test.for([
  ['a subscriber', MONTHLY, 'contact support'],
  ['a former one', { ...NO_SUBSCRIPTION, status: 'canceled', trialAvailable: false }, 'Upgrade to Pro'],
] as const)(
  'nothing stands below the plan of %s until its invoices are there, and the page says that more is to come',
  async ([_who, subscription, last], { api }) => {
    onProfile(api, subscription);
    const plans = api.holds(endpoints.getSubscription);
    const invoices = api.holds(endpoints.listInvoices);
    await showApp('/profile');
    await expect.element(plan()).toBeVisible();
    const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' });
    await expect.element(loading).toBeVisible();
    plans[0]?.answer(subscription);
    await expect.poll(() => invoices.length).toBe(1);
    await expect.element(loading).toBeVisible();
    await expect.element(plan().getByText(last)).not.toBeInTheDocument();
    await expect.element(page.getByLabelText('Language of the app')).not.toBeInTheDocument();
    invoices[0]?.refuse('UNAVAILABLE');
    await expect.element(plan()).toMatchTextContent(/Your invoices could not be loaded\./);
    await expect.element(plan().getByText(last)).toBeVisible();
    await expect.element(page.getByLabelText('Language of the app')).toBeVisible();
    await expect.element(loading).not.toBeInTheDocument();
  },
);

test('where the server has no trial, none is promised', async ({ api }) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT', 'Please sign in to continue.');
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, trialDays: 0 });
  await showApp('/');
  await page.getByRole('link', { name: 'Start Pro', exact: true }).click();
  await expect.element(page.getByText(/Sign up to get Pro\./)).toBeVisible();
  await expect.element(page.getByText(/free trial/)).not.toBeInTheDocument();
});

test('the profile says when and why Pro ended, and lists the invoices', async ({ api }) => {
  onProfile(api, {
    ...NO_SUBSCRIPTION,
    status: 'canceled',
    trialAvailable: false,
    endedAt: '2026-11-24T12:00:00.000Z',
    endReason: 'payment-failed',
  });
  api.answers(endpoints.listInvoices, [
    {
      id: 'in_1',
      number: 'CASEWATCH-0001',
      createdAt: '2026-11-17T12:00:00.000Z',
      amount: 9,
      status: 'open',
      url: 'https://payments.example/in_1',
    },
  ]);
  await showApp('/profile');
  await expect.element(plan()).toMatchTextContent(/ended on Nov 24, 2026 because the payment failed\./);
  await page.getByText('Invoices').click();
  await expect.element(plan()).toMatchTextContent(/Nov 17, 2026.*\$9.*Due/);
  await expect
    .element(page.getByRole('link', { name: /CASEWATCH-0001/ }))
    .toHaveAttribute('href', 'https://payments.example/in_1');
  await expectAccessibleEverywhere();
});

test('the plan says that support has paused the payments, and names no renewal', async ({ api }) => {
  const paymentsPaused = { resumeAt: '2027-03-03T12:00:00.000Z', periodEndsAt: '2026-12-24T12:00:00.000Z' };
  onProfile(api, { ...MONTHLY, renewsAt: null, paymentsPaused });
  await showApp('/profile');
  await expect
    .element(plan())
    .toMatchTextContent(/Payments ?Paused until Mar 3, 2027; nothing is charged until then/);
  await expect.element(plan()).not.toMatchTextContent(/Renews/);
  await expectAccessibleEverywhere();
  await button('Cancel subscription').click();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(/You keep Pro until Dec 24, 2026\. You will not be charged again\./);
});

test('a running subscription that is taxed costs its price plus tax', async ({ api }) => {
  onProfile(api, { ...MONTHLY, taxed: true });
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, tax: 'exclusive' });
  await showApp('/profile');
  await expect.element(plan()).toMatchTextContent(/Pro ?\$9\/month plus tax.*Monthly, \$9\/month plus tax/);
  await expectAccessibleEverywhere();
});

test('a switch with a promotion code says that its discount counts, and names no amount as if it did not', async ({
  api,
}) => {
  onProfile(api, MONTHLY);
  api.answers(endpoints.previewSwitch, {
    price: { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
    at: '2026-12-09T12:00:00.000Z',
    dueNow: 42.75,
    nextPaymentAt: '2027-12-09T12:00:00.000Z',
    discounted: true,
  });
  await showApp('/profile');
  await button('Switch to yearly billing').click();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(
      /As long as the discount of your promotion code lasts, it is taken off what you pay\./,
    );
});

test('a switch to yearly payment says what is charged before it is, and what a declined card changes', async ({
  api,
}) => {
  onProfile(api, MONTHLY);
  const at = '2026-12-09T12:00:00.000Z';
  api.answers(endpoints.previewSwitch, {
    price: { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
    at,
    dueNow: 85.5,
    nextPaymentAt: '2027-12-09T12:00:00.000Z',
  });
  const switches = api.holds(endpoints.switchToYearly);
  await showApp('/profile');
  await button('Switch to yearly billing').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent(/You pay \$85\.50 today: \$90 for a year/);
  await expect.element(dialog).toMatchTextContent(/next payment of \$90 is on Dec 9, 2027/);
  await expectAccessibleEverywhere();
  await button('Switch and pay $85.50').click();
  await expect.element(button('Switch and pay $85.50')).toHaveAttribute('aria-disabled', 'true');
  await settle();
  switches[0]?.refuse('CARD_DECLINED', 'Your card was declined, so nothing has changed.');
  await expectToast('Error', 'Your card was declined, so nothing has changed.');
  await expect.element(button('Switch and pay $85.50')).toHaveFocus();
  api.answers(endpoints.switchToYearly, {
    ...MONTHLY,
    price: { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
    renewsAt: '2027-12-09T12:00:00.000Z',
    canSwitchToYearly: false,
  });
  await button('Switch and pay $85.50').click();
  await expectToast('Switched to yearly', 'The next payment is on Dec 9, 2027.');
  await expect.element(plan()).toMatchTextContent(/\$90\/year/);
});

/** The loader keeps the first script that it finds. */
let confirmInBrowser: (options: unknown) => Promise<unknown>;
const STRIPE = Object.assign(
  () => ({ confirmPayment: (options: unknown) => confirmInBrowser(options), _registerWrapper: () => {} }),
  { version: 'endive' },
);

const SWITCHED = {
  ...MONTHLY,
  price: { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
  renewsAt: '2027-12-24T12:00:00.000Z',
  canSwitchToYearly: false,
} as const;

test.for([
  {
    paymentStatus: 'succeeded',
    error: undefined,
    after: SWITCHED,
    toast: ['Switched to yearly', 'The next payment is on Dec 24, 2027.'],
  },
  {
    paymentStatus: 'requires_payment_method',
    error: { message: 'We are unable to authenticate your payment method.' },
    after: MONTHLY,
    toast: [
      'Not switched',
      'We are unable to authenticate your payment method. Nothing was charged, and your monthly plan continues.',
    ],
  },
  {
    // In another tab.
    paymentStatus: 'canceled',
    error: { message: 'This payment was canceled.' },
    after: { ...MONTHLY, renewsAt: null, endsAt: MONTHLY.renewsAt, canCancel: false, canResume: true },
    toast: ['Not switched', 'This payment was canceled. Nothing was charged.'],
  },
  {
    // The answer was lost, and the payment was not.
    paymentStatus: 'succeeded',
    error: { message: 'We are experiencing issues connecting to our payments provider.' },
    after: SWITCHED,
    toast: ['Switched to yearly', 'The next payment is on Dec 24, 2027.'],
  },
] as const)('a switch whose payer must authenticate says what came of it: %j', async (how, { api }) => {
  const confirmed: unknown[] = [];
  confirmInBrowser = async (options) => {
    confirmed.push(options);
    api.answers(endpoints.getSubscription, how.after);
    return how.error ? { error: how.error } : { paymentIntent: { status: 'succeeded' } };
  };
  vi.stubGlobal('Stripe', STRIPE);
  onProfile(api, MONTHLY);
  api.answers(endpoints.previewSwitch, {
    price: SWITCHED.price,
    at: '2026-12-09T12:00:00.000Z',
    dueNow: 85.5,
    nextPaymentAt: '2027-12-09T12:00:00.000Z',
  });
  api.answers(endpoints.switchToYearly, {
    ...MONTHLY,
    clientSecret: 'pi_1_secret_1',
    paymentMethodId: 'pm_1',
  });
  api.answers(endpoints.confirmPayment, { tier: 'pro', status: 'active', paymentStatus: how.paymentStatus });
  api.answers(endpoints.createSubscription, { tier: 'pro', status: 'active' });
  await showApp('/profile');
  await button('Switch to yearly billing').click();
  await button('Switch and pay $85.50').click();
  await expectToast(...how.toast);
  await expect.element(plan()).toMatchTextContent(how.after === SWITCHED ? /\$90\/year/ : /\$9\/month/);
  expect(confirmed).toMatchObject([
    { clientSecret: 'pi_1_secret_1', confirmParams: { payment_method: 'pm_1' }, redirect: 'if_required' },
  ]);
});

test('a switch whose price could not be loaded can be tried again, and left', async ({ api }) => {
  onProfile(api, MONTHLY);
  api.refuses(endpoints.previewSwitch, 'UNAVAILABLE', 'Payments are unavailable right now.');
  await showApp('/profile');
  await button('Switch to yearly billing').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Payments are unavailable right now\./);
  await expectAccessible();
  const previews = api.holds(endpoints.previewSwitch);
  await button('Try again').click();
  await expect.element(dialog.getByText('Loading the price...')).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  expect(previews).toHaveLength(1);
  await button('Keep monthly').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button('Switch to yearly billing')).toHaveFocus();
});

test('a subscriber on the upgrade page never sees prices to choose from', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.getSubscription, MONTHLY);
  api.answers(endpoints.listPrices, [
    { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
    { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
  ]);
  const began = api.holds(endpoints.createSubscription);
  await showApp('/upgrade');
  await expect.poll(() => began.length).toBe(1);
  await expect.element(page.getByText('Initializing payment...')).toBeVisible();
  await expect.element(page.getByText('Choose your billing')).not.toBeInTheDocument();
  began[0]?.answer({ tier: 'pro', status: 'active' });
  await expect.element(page.getByRole('heading', { name: 'Already Subscribed' })).toBeVisible();
});

const ON_TRIAL = { ...MONTHLY, status: 'trialing', trialEndsAt: '2099-12-24T12:00:00.000Z' } as const;
test.for([
  { subscription: MONTHLY, says: /^Your subscription ends at once\..*not refunded\.$/ },
  { subscription: ON_TRIAL, says: /^Your free trial ends at once\. You will not be charged\.$/ },
  { subscription: NO_SUBSCRIPTION, says: undefined },
])(
  'deleting an account says what becomes of a subscription: $says',
  async ({ subscription, says }, { api }) => {
    onProfile(api, subscription);
    await showApp('/profile');
    const answered = says ? plan().getByText('$9/month', { exact: true }) : plan().getByText(/free trial/);
    await expect.element(answered).toBeVisible();
    await page.getByRole('link', { name: 'Data' }).click();
    await button('Delete account').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect.element(dialog.getByLabelText('Current Password')).toBeVisible();
    if (says) await expect.element(dialog.getByText(says)).toBeVisible();
    else await expect.element(dialog.getByText('ends at once')).not.toBeInTheDocument();
  },
);
