import AxeBuilder from '@axe-core/playwright';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, startBrowser } from './shop-page.ts';
import { KEYS, type PaymentsUnderTest, startPayments } from './start-payments.ts';
import { beginSubscription, intentId, readSubscription } from './subscribe.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

async function secretOf(payments: PaymentsUnderTest, trial = false): Promise<string> {
  const begun = await beginSubscription(payments, trial ? { trial_period_days: 14 } : {});
  return begun.paymentSecret ?? begun.setupIntent?.client_secret ?? '';
}

describe('the browser script, loaded by the unchanged @stripe/stripe-js under a strict policy', () => {
  it('pays without a redirect, and nothing is warned of or refused', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.fill('4242424242424242');
    expect(await shop.card.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await shop.pay()).toMatchObject({
      paymentIntent: { object: 'payment_intent', status: 'succeeded' },
    });
    expect(shop.console).toEqual([]);
  });

  it('saves the card of a trial', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments, true));
    await shop.fill('4242424242424242');
    expect(await shop.pay()).toMatchObject({ setupIntent: { object: 'setup_intent', status: 'succeeded' } });
  });

  it('says why a card is declined, and takes another one after it', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.fill('4000000000000002');
    expect(await shop.pay()).toMatchObject({
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
        payment_intent: { status: 'requires_payment_method' },
      },
    });
    await shop.fill('4242424242424242');
    expect(await shop.pay()).toMatchObject({ paymentIntent: { status: 'succeeded' } });
  });

  it('finds an incomplete form itself and shows what is missing', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.card.getByLabel('Card number').fill('4242');
    expect(await shop.pay()).toEqual({
      error: {
        type: 'validation_error',
        code: 'incomplete_number',
        message: 'Your card number is incomplete.',
      },
    });
    await shop.card.getByText('Your card number is incomplete.').waitFor();
    await shop.card.getByText('Your ZIP is invalid.').waitFor();
  });

  it('does not move the button from under a slow finger when it finds a field incomplete', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.card.getByLabel('Card number').fill('4242');
    await shop.page.getByRole('button', { name: 'Pay' }).click({ delay: 500 });
    await shop.card.getByText('Your ZIP is invalid.').waitFor();
    expect(JSON.parse(await shop.result())).toMatchObject({ error: { code: 'incomplete_number' } });
  });

  it('speaks Spanish for a Spanish locale, and follows a change of it', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments), { locale: 'es-419' });
    await shop.card.getByLabel('Número de tarjeta').fill('4000000000000002');
    await shop.card.getByLabel('Fecha de vencimiento').fill('1234');
    await shop.card.getByLabel('Código de seguridad').fill('123');
    expect(await shop.pay()).toMatchObject({
      error: { code: 'incomplete_zip', message: 'El código postal no es válido.' },
    });
    await shop.card.getByLabel('Código postal').fill('10001');
    expect(await shop.pay()).toMatchObject({
      error: { code: 'card_declined', message: 'La tarjeta fue rechazada.' },
    });
    await shop.card.getByLabel('Código de seguridad').fill('1');
    await shop.card.getByLabel('Código postal').focus();
    await shop.card.getByText('El código de seguridad de la tarjeta está incompleto.').waitFor();
    await shop.page.evaluate('window.speak("en")');
    await shop.card.getByText("Your card's security code is incomplete.").waitFor();
    await shop.card.getByRole('form', { name: 'Card' }).getByLabel('Card number').waitFor();
  });

  it('lets the customer authenticate in a dialog', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.fill('4000002500003155');
    const paid = shop.pay();
    await shop.page
      .frameLocator('dialog iframe')
      .getByRole('button', { name: 'Complete authentication' })
      .click();
    expect(await paid).toMatchObject({ paymentIntent: { status: 'succeeded' } });
    expect(await shop.page.locator('dialog').count()).toBe(0);
  });

  it.each(['Fail authentication', 'Close', 'Escape'])(
    'ends in an error after "%s" in the dialog',
    async (way) => {
      await using payments = await startPayments();
      await using shop = await openShop(browser, payments, await secretOf(payments));
      await shop.fill('4000002500003155');
      const paid = shop.pay();
      const dialog = shop.page.frameLocator('dialog iframe');
      await dialog.getByRole('heading', { name: 'Test authentication' }).waitFor();
      // The last that the page's script does: before, keys and clicks have no effect.
      await dialog.locator('button:focus').waitFor();
      if (way === 'Escape') await shop.page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: way }).click();
      expect(await paid).toMatchObject({
        error: {
          code: 'payment_intent_authentication_failure',
          payment_intent: { status: 'requires_payment_method' },
        },
      });
    },
  );

  it('goes to another provider’s page and comes back with what the product reads', async () => {
    await using payments = await startPayments();
    const secret = await secretOf(payments);
    await using shop = await openShop(browser, payments, secret);
    await shop.fill('4000000000002024');
    await shop.page.getByRole('button', { name: 'Pay' }).click();
    await shop.page.getByRole('button', { name: 'Authorize test payment' }).click();
    await shop.page.waitForURL(/\/back\?/);
    expect(Object.fromEntries(new URL(shop.page.url()).searchParams)).toEqual({
      payment_intent: intentId(secret),
      payment_intent_client_secret: secret,
      redirect_status: 'succeeded',
    });
  });

  it('comes back with redirect_status failed from a refusal', async () => {
    await using payments = await startPayments();
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.fill('4000000000002024');
    await shop.page.getByRole('button', { name: 'Pay' }).click();
    await shop.page.getByRole('button', { name: 'Fail test payment' }).click();
    await shop.page.waitForURL(/\/back\?.*redirect_status=failed/);
  });

  it('reports a processing payment', async () => {
    await using payments = await startPayments({ settleAfterMs: null });
    await using shop = await openShop(browser, payments, await secretOf(payments));
    await shop.fill('4000000000001976');
    expect(await shop.pay()).toMatchObject({ paymentIntent: { status: 'processing' } });
  });

  it.each(['stripe', 'night'] as const)(
    'has a form that fits 280 px and that axe finds nothing in (%s)',
    async (theme) => {
      await using payments = await startPayments();
      await using shop = await openShop(browser, payments, await secretOf(payments), { theme, width: 320 });
      await shop.page
        .locator('#element')
        .evaluate((place) => Reflect.get(place, 'style').setProperty('width', '280px'));
      await shop.fill('4242424242424241');
      await shop.pay();
      const overflow = await shop.card
        .locator('html')
        .evaluate((html) => Reflect.get(html, 'scrollWidth') - Reflect.get(html, 'clientWidth'));
      expect(overflow).toBe(0);
      const { violations } = await new AxeBuilder({ page: shop.page }).analyze();
      expect(violations.map(({ id, nodes }) => ({ id, html: nodes[0]?.html }))).toEqual([]);
    },
  );
});

describe('the customer portal', () => {
  it('cancels, takes it back, replaces the card, and leads back to the product', async () => {
    await using payments = await startPayments();
    const begun = await beginSubscription(payments);
    const { customer, paymentSecret } = begun;
    await payments.browser('POST', `/v1/payment_intents/${intentId(paymentSecret)}/confirm`, {
      client_secret: paymentSecret ?? '',
      payment_method: 'pm_card_visa',
    });
    const session = await payments.stripe.billingPortal.sessions.create({
      customer,
      return_url: `${payments.url}/v3/?back`,
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(session.url);
    await page.getByText('Renews on February 1, 2026.').waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('Ends on February 1, 2026.').waitFor();
    expect(await readSubscription(payments, begun)).toMatchObject({
      cancel_at: Date.parse('2026-02-01T12:00:00Z') / 1000,
      cancel_at_period_end: false,
    });
    await page.getByRole('button', { name: 'Don’t cancel subscription' }).click();
    await page.getByText('Renews on February 1, 2026.').waitFor();

    const useCard = async (number: string) => {
      await page.getByLabel('Card number').fill(number);
      await page.getByLabel('Expiration date').fill('12 / 34');
      await page.getByLabel('Security code').fill('123');
      await page.getByRole('button', { name: 'Use this card' }).click();
    };
    await useCard('4000000000000002');
    await page.getByText('Your card was declined.').waitFor();
    await useCard('5555555555554444');
    await page.getByText('Card: mastercard ending in 4444.').waitFor();
    await useCard('4000002500003155');
    await page.getByRole('button', { name: 'Fail test payment' }).click();
    await page.getByText('Your bank did not confirm this card.').waitFor();
    await page.getByText('Card: mastercard ending in 4444.').waitFor();
    await useCard('4000002500003155');
    await page.getByRole('button', { name: 'Authorize test payment' }).click();
    await page.getByText('Card: visa ending in 3155.').waitFor();
    expect(await page.getByRole('link', { name: 'Return to Casewatch' }).getAttribute('href')).toBe(
      session.return_url,
    );
    await context.close();
  });

  it('is not there for a made-up address', async () => {
    await using payments = await startPayments();
    expect((await fetch(`${payments.url}/pages/portal/${KEYS.publishableKey}`)).status).toBe(404);
  });
});
