import '../src/styles/app.scss';
import { i18n } from '@lingui/core';
import { onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { bringToLife } from '../src/features/landing/bring-to-life.ts';
import { renderLanding } from '../src/features/landing/render-landing.tsx';
import { keepTheme } from '../src/features/theme/theme.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test as base, expect, settle, showApp } from './component-test.tsx';
import { BILLING_CONFIG } from './samples.ts';

/** The page as the server sends it, in a language, with its script. */
const test = base.extend<{ open: (language: 'en' | 'es', prefetch?: string) => void }>({
  open: async ({ task: _ }, use) => {
    let end = () => {};
    const root = document.createElement('div');
    await use((language, prefetch) => {
      const { html, liveTexts } = renderLanding(language);
      root.innerHTML = html;
      root.dataset.texts = JSON.stringify(liveTexts);
      // Only where a test is about it: a busy browser is idle first in a later test.
      if (prefetch) root.dataset.prefetch = prefetch;
      document.body.append(root);
      document.documentElement.lang = language;
      end = bringToLife(root);
    });
    end();
    root.remove();
    keepTheme('light');
    document.documentElement.lang = 'en';
  },
});
const toggle = () => page.getByTestId('theme-toggle');

test('the theme toggle names the theme it switches to, and keeps it', async ({ open }) => {
  const bars = document.createElement('meta');
  bars.name = 'theme-color';
  document.head.append(bars);
  onTestFinished(() => bars.remove());
  open('en');
  await expect.element(toggle()).toHaveAccessibleName('Switch to dark theme');
  await toggle().click();
  await expect.element(toggle()).toHaveAccessibleName('Switch to light theme');
  expect([document.documentElement.className, localStorage.getItem('theme')]).toEqual(['dark', 'dark']);
  expect(bars.content).toBe('#0f1716');
  // As the browser reports what another tab has done.
  window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'light' }));
  await expect.element(toggle()).toHaveAccessibleName('Switch to dark theme');
  expect([document.documentElement.className, bars.content]).toEqual(['', '#f6f4ef']);
});

test('its tooltip opens with the keyboard, follows a switch and closes on Escape', async ({ open }) => {
  open('en');
  const tooltip = page.getByRole('tooltip');
  await userEvent.keyboard('{Tab}{Tab}{Tab}');
  expect(document.activeElement).toBe(toggle().element());
  await expect.element(tooltip).toHaveTextContent('Switch to dark theme');
  await expect.element(toggle()).toHaveAccessibleDescription('Switch to dark theme');
  await userEvent.keyboard('{Enter}');
  await expect.element(tooltip).toHaveTextContent('Switch to light theme');
  await userEvent.keyboard('{Escape}');
  await expect.element(tooltip).not.toBeInTheDocument();
  await expect.element(toggle()).not.toHaveAttribute('aria-describedby');
});

test.for([
  [0, 'Cancel anytime.', 'Start Pro'],
  [1, '1-day free trial. Cancel anytime.', 'Start Pro Trial'],
  [30, '30-day free trial. Cancel anytime.', 'Start Pro Trial'],
] as const)('with %i days of trial the card says “%s”', async ([trialDays, note, action], { api, open }) => {
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, trialDays });
  open('en');
  const card = page.getByRole('article', { name: 'Pro' });
  await expect.element(card.getByText(note, { exact: true })).toBeVisible();
  const link = card.getByRole('link', { name: action, exact: true });
  await expect.element(link).toHaveAttribute('href', '/auth?next=%2Fupgrade');
});

test('a server that does not answer leaves the page as it was built', async ({ api, open }) => {
  api.loses(endpoints.getBillingConfig);
  open('en');
  await settle();
  await expect.element(page.getByText('14-day free trial. Cancel anytime.')).toBeVisible();
});

test('the page leads to the status guide', async ({ open }) => {
  open('en');
  const link = page.getByRole('link', { name: 'Every status is explained in the status guide' });
  await expect.element(link).toHaveAttribute('href', '/guide');
  const inFooter = page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'What your USCIS case status means' });
  await expect.element(inFooter).toHaveAttribute('href', '/guide');
});

test('the Spanish page is Spanish throughout, also where its script writes, and leads to the English one', async ({
  api,
  open,
}) => {
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, trialDays: 30 });
  open('es');
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent('Siga su caso de inmigración con confianza');
  await expect.element(page.getByText('Prueba gratis de 30 días. Cancele cuando quiera.')).toBeVisible();
  const text = document.querySelector('.landing')?.textContent;
  expect(text).not.toMatch(/Case Was|Immigration Lookup|unofficial|Powered by|Priority support|Sign/);
  await toggle().click();
  await expect.element(toggle()).toHaveAccessibleName('Cambiar al tema claro');
  const english = page.getByRole('link', { name: 'English' });
  await expect.element(english).toHaveAttribute('href', '/?lang=en');
  await expect.element(english).toHaveAttribute('lang', 'en');
  await expectAccessibleEverywhere();
});

test.for(['en', 'es'] as const)(
  'the page in %s fits into a phone with text of twice the size, and shows a case, a notification and a list side by side on a wide screen',
  async (language, { open }) => {
    onTestFinished(async () => {
      document.documentElement.style.fontSize = '';
      document.documentElement.classList.remove('with-landing');
      await page.viewport(1280, 800);
    });
    document.documentElement.classList.add('with-landing');
    open(language);
    document.documentElement.style.fontSize = '200%';
    await page.viewport(320, 800);
    await expect.poll(() => window.innerWidth).toBe(320);
    expect(document.documentElement.scrollWidth).toBe(320);
    document.documentElement.style.fontSize = '';
    await page.viewport(1920, 1080);
    await expect.poll(() => window.innerWidth).toBe(1920);
    expect(document.documentElement.scrollWidth).toBe(1920);
    const [shown, notice, list] = [...document.querySelectorAll('.example-card')].map((card) =>
      card.getBoundingClientRect(),
    );
    expect(shown?.left).toBeGreaterThan(1920 * 0.4);
    expect(notice?.left).toBeGreaterThan(1920 * 0.6);
    expect(list?.left).toBe(notice?.left);
    // What a card lies on has no words there.
    const words = [...document.querySelectorAll('.example-date')].map(
      (date) => date.getBoundingClientRect().right,
    );
    expect(Math.max(...words.slice(0, 3))).toBeLessThan(notice?.left ?? 0);
  },
);

test('where Pro is not offered the picture shows no notification', async ({ api, open }) => {
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, offered: false });
  open('en');
  await expect.element(page.getByText('Mom’s green card')).toBeVisible();
  await expect.element(page.getByText('Status changed')).not.toBeVisible();
});

test('inside the app the page offers Spanish by the same link', async ({ api }) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT', 'Please sign in to continue.');
  await showApp('/');
  const link = page.getByRole('link', { name: 'Español' });
  await expect.element(link).toHaveAttribute('href', '/?lang=es');
  expect(i18n.locale).toBe('en');
});

test('files of the app are fetched once the browser is idle, not before', async ({ open }) => {
  const idle = vi.spyOn(window, 'requestIdleCallback').mockReturnValue(1);
  onTestFinished(() => idle.mockRestore());
  open('en', '/favicon.svg /robots.txt');
  const fetched = vi.spyOn(window, 'fetch').mockResolvedValue(new Response());
  onTestFinished(() => fetched.mockRestore());
  const files = () => fetched.mock.calls.map(([file]) => file);
  expect(files()).toEqual([]);
  idle.mock.calls[0]?.[0]({ didTimeout: false, timeRemaining: () => 50 });
  expect(files()).toEqual(['/favicon.svg', '/robots.txt']);
  // A link would be refused by the policy in Firefox.
  expect(document.head.querySelector('link[rel=prefetch]')).toBeNull();
});
