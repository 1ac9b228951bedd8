import type { RouteContract } from '@casewatch/contracts/route-contract';
import { onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, namesSupport, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

const REQUEST_ID = '01234567-89ab-4cde-8f01-23456789abcd';
const BROKEN = { error: 'It broke.', code: 'INTERNAL', requestId: REQUEST_ID };

async function showProfile(api: FakeApi, user = PRO_USER): Promise<void> {
  signedIn(api, user);
  api.answers(endpoints.getSubscription, {
    ...NO_SUBSCRIPTION,
    tier: user.tier,
    status: user.tier === 'pro' ? 'active' : null,
    id: user.tier === 'pro' ? 'sub_123' : null,
  });
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.listInvoices, []);
  await showApp('/profile');
  await expect.element(page.getByRole('region', { name: 'Current Plan' })).toBeVisible();
}
const plan = () => page.getByRole('region', { name: 'Current Plan' });
const link = () => plan().getByRole('link', { name: 'contact support' });

test('the profile links to support by e-mail, with the subscription and as priority for Pro', async ({
  api,
}) => {
  await showProfile(api);
  await expect.element(plan().getByText('Priority support')).toBeVisible();
  await expect.element(link()).toBeVisible();
  const href = decodeURIComponent(link().element().getAttribute('href') ?? '');
  expect(href).toMatch(/^mailto:help@example\.com\?subject=\[Priority\] Casewatch support \(sub_123\)/);
  expect(href).toContain('Reference: sub_123');
  await expectAccessibleEverywhere();
});

test('support by a page gets the reference and the priority in its query', async ({ api }) => {
  namesSupport({ url: 'https://help.example.com/new?topic=casewatch' });
  await showProfile(api);
  await expect
    .element(link())
    .toHaveAttribute('href', 'https://help.example.com/new?topic=casewatch&reference=sub_123&priority=pro');
});

test('an installation without support promises none', async ({ api }) => {
  namesSupport({});
  await showProfile(api, PRO_USER);
  await expect.element(plan().getByText('Priority support')).not.toBeVisible();
  await expect.element(page.getByText(/contact support/i)).not.toBeInTheDocument();
});

test('without support the comparison of plans does not promise it either', async ({ api }) => {
  namesSupport({});
  await showProfile(api, FREE_USER);
  await expect.element(page.getByRole('rowheader', { name: 'Priority support' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('rowheader', { name: 'Bulk search' })).toBeVisible();
});

test('a failure of the server shows its reference, copies all of it, and leads to support with it', async ({
  api,
}) => {
  await showProfile(api);
  api.responds(endpoints.changeProfile, 500, BROKEN);
  await button('Edit name and role').click();
  await button('Save changes').click();
  await expect.element(page.getByText('01234567', { exact: true })).toBeVisible();
  const contact = page.getByRole('link', { name: 'Contact support', exact: true });
  expect(contact.element().getAttribute('href')).toContain(REQUEST_ID);
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  onTestFinished(() => void vi.restoreAllMocks());
  await button('Copy reference').click();
  await expect.element(button('Copied reference')).toBeVisible();
  expect(copied).toEqual([REQUEST_ID]);
});

test('what the person can put right alone has no reference', async ({ api }) => {
  await showProfile(api);
  api.refuses(endpoints.changeProfile, 'RATE_LIMITED', 'Too many tries. Please wait a minute.');
  await button('Edit name and role').click();
  await button('Save changes').click();
  await expect.element(page.getByText('Too many tries. Please wait a minute.').first()).toBeVisible();
  await expect.element(page.getByText('Reference')).not.toBeInTheDocument();
});

const SCREENS: [screen: string, path: string, broken: RouteContract, go?: () => Promise<void>][] = [
  ['the session', '/', endpoints.getMe],
  ['saved cases', '/saved-cases', endpoints.listSavedCasesPage],
  ['removed cases', '/saved-cases', endpoints.listRemovedCases, () => button('Recently removed').click()],
  ['invoices', '/profile', endpoints.listInvoices],
  ['devices', '/profile/security', endpoints.listSessions],
  ['the payment', '/upgrade', endpoints.createSubscription],
  ['a case', '/cases/EAC9999103403', endpoints.lookUpCase],
  ['the case of an email', `/notifications/${REQUEST_ID}`, endpoints.markNotificationRead],
  [
    'the link that stops emails',
    '/unsubscribe#token',
    endpoints.unsubscribe,
    () => button('Stop emails').click(),
  ],
];
test.for(SCREENS)(
  '%s: what can not be shown has a reference that leads to support',
  async ([, path, broken, go], { api }) => {
    signedIn(api, PRO_USER);
    api.answers(endpoints.getSubscription, {
      ...NO_SUBSCRIPTION,
      tier: 'pro',
      status: 'active',
      id: 'sub_123',
    });
    api.answers(endpoints.listPrices, [
      { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
    ]);
    api.answers(endpoints.listInvoices, []);
    api.responds(broken, 500, BROKEN);
    await showApp(path);
    await go?.();
    await expect.element(page.getByRole('button', { name: 'Copy reference' }).first()).toBeVisible();
    const contact = document.querySelector('.error-reference a');
    expect(contact?.getAttribute('href')).toContain(REQUEST_ID);
    // The page without a session has no switch of the theme.
    if (broken !== endpoints.getMe) await expectAccessibleEverywhere();
  },
);
