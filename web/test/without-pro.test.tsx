import { page } from 'vitest/browser';
import type { BillingConfig } from '../src/api/billing.ts';
import * as endpoints from '../src/api/endpoints.ts';
import { bringToLife } from '../src/features/landing/bring-to-life.ts';
import { renderLanding } from '../src/features/landing/render-landing.tsx';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test as base, button, expect, settle, showApp, signedIn } from './component-test.tsx';
import { FREE_USER, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

const WITHOUT_PRO: BillingConfig = {
  offered: false,
  publishableKey: '',
  scriptUrl: null,
  testPayments: false,
  trialDays: 0,
  tax: null,
  promotionCodes: false,
};

const test = base.extend<{ withoutPro: undefined }>({
  withoutPro: [
    async ({ api }, use) => {
      api.answers(endpoints.getBillingConfig, WITHOUT_PRO);
      api.answers(endpoints.listPrices, []);
      await use(undefined);
      delete document.documentElement.dataset.withoutPro;
    },
    { auto: true },
  ],
});
const PRO_WORDS = /Upgrade|trial|\$9|Most Popular|Cancel anytime|Start Pro/;

test('the landing page says nothing of Pro where it is not offered', async () => {
  const root = document.createElement('div');
  const { html, liveTexts } = renderLanding('en');
  root.innerHTML = html;
  root.dataset.texts = JSON.stringify(liveTexts);
  document.body.append(root);
  const end = bringToLife(root);
  try {
    await expect.element(page.getByText('Everything on this site is free.')).toBeVisible();
    await expect.element(page.getByRole('article', { name: 'Pro' })).not.toBeInTheDocument();
    await expect.element(page.getByRole('heading', { name: 'Case search' })).toBeVisible();
    for (const name of ['Automated monitoring', 'Real-time notifications', 'Single & bulk search'])
      await expect.element(page.getByRole('heading', { name })).not.toBeInTheDocument();
    expect(root.innerText).not.toMatch(PRO_WORDS);
  } finally {
    end();
    root.remove();
  }
});

test('inside the app the landing page says nothing of Pro either, and the sign-up promises none', async ({
  api,
}) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT', 'Please sign in to continue.');
  const screen = await showApp('/');
  await expect.element(page.getByText('Everything on this site is free.')).toBeVisible();
  expect(screen.container.innerText).not.toMatch(PRO_WORDS);
  await screen.unmount();
  await showApp('/auth?next=%2Fupgrade');
  await expect.element(page.getByRole('tab', { name: 'Sign Up' })).toBeVisible();
  await expect.element(page.getByText(/get Pro|trial/)).not.toBeInTheDocument();
});

test('the profile of a free user offers no upgrade and compares no plans', async ({ api }) => {
  signedIn(api, FREE_USER);
  api.answers(endpoints.getSubscription, { ...NO_SUBSCRIPTION, trialAvailable: false });
  await showApp('/profile');
  const plan = page.getByRole('region', { name: 'Current Plan' });
  await expect.element(plan.getByText('Single case lookup')).toBeVisible();
  await expect.element(button('Upgrade to Pro')).not.toBeInTheDocument();
  await expect.element(page.getByRole('region', { name: 'Feature comparison' })).not.toBeInTheDocument();
  await expect.element(plan).not.toMatchTextContent(PRO_WORDS);
});

test('the profile offers no upgrade while it is not known yet whether there is Pro', async ({ api }) => {
  signedIn(api, FREE_USER);
  const configs = api.holds(endpoints.getBillingConfig);
  await showApp('/profile');
  const plan = page.getByRole('region', { name: 'Current Plan' });
  await expect.element(plan.getByText('Single case lookup')).toBeVisible();
  await settle();
  await expect.element(button('Upgrade to Pro')).not.toBeInTheDocument();
  await expect.element(page.getByRole('region', { name: 'Feature comparison' })).not.toBeInTheDocument();
  for (const config of configs) config.answer(WITHOUT_PRO);
  await expect.element(page.getByLabelText('Language of the app')).toBeVisible();
  await expect.element(button('Upgrade to Pro')).not.toBeInTheDocument();
});

test('the dialog of a Pro feature says that this site does not offer it, and asks for nothing', async ({
  api,
}) => {
  signedIn(api, FREE_USER);
  await showApp('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const dialog = page.getByRole('dialog', { name: 'Not available on this site' });
  await expect
    .element(dialog)
    .toMatchTextContent('Bulk Search is a Pro feature, and this site does not offer Pro.');
  await expect.element(dialog).not.toMatchTextContent(PRO_WORDS);
  await expectAccessibleEverywhere();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test.for([
  [FREE_USER, 'You can’t buy anything on this site. Everything in the Free plan works.'],
  [PRO_USER, 'You have Pro. You can’t buy anything on this site.'],
] as const)('the upgrade screen takes no payment: %#', async ([user, text], { api }) => {
  signedIn(api, user);
  await showApp('/upgrade');
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Pro');
  await expect.element(page.getByText(/Payment details|Initializing/)).not.toBeInTheDocument();
  await expectAccessibleEverywhere();
});

test('who has to confirm an address is not shown Pro', async ({ api }) => {
  signedIn(api, { ...FREE_USER, emailVerified: false });
  await showApp('/');
  await expect.element(page.getByText(/Until then: no emails\./)).toBeVisible();
});
