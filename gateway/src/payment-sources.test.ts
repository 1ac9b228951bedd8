import { expect, it } from 'vitest';
import { paymentSources } from './payment-sources.ts';

it('lets pages load script, frames and data from where payments are simulated', () => {
  const url = 'http://127.0.0.1:4242';
  expect(paymentSources({ STRIPE_API_BASE: url, STRIPE_SCRIPT_URL: `${url}/v3/` })).toEqual({
    script: [url],
    connect: [url],
    frame: [url],
  });
});

it('adds nothing for Stripe itself, which is allowed anyway', () => {
  const stripe = {
    STRIPE_API_BASE: 'https://api.stripe.com',
    STRIPE_SCRIPT_URL: 'https://js.stripe.com/endive/stripe.js',
  };
  expect(paymentSources(stripe)).toEqual({ script: [], connect: [], frame: [] });
});

it.each([
  'http://js.stripe.com',
  'https://js.stripe.com.example.org',
  'https://not-js.stripe.com',
  'https://evil.example',
])('does not take %s for Stripe', (url) => {
  expect(paymentSources({ STRIPE_SCRIPT_URL: `${url}/v3/` })).toEqual({
    script: [url],
    connect: [url],
    frame: [url],
  });
});

it('adds nothing where no address is set', () => {
  expect(paymentSources({})).toEqual({ script: [], connect: [], frame: [] });
});
