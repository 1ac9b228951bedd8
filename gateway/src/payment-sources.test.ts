import { expect, it } from 'vitest';
import { paymentSources } from './payment-sources.ts';

const PUBLIC_URL = 'http://localhost:8080';

it('lets pages load script, frames and data from where payments are simulated', () => {
  const url = 'http://127.0.0.1:4242';
  expect(paymentSources({ PUBLIC_URL, STRIPE_API_BASE: url, STRIPE_SCRIPT_URL: `${url}/v3/` })).toEqual({
    script: [url],
    connect: [url],
    frame: [url],
  });
});

it('adds nothing for Stripe itself, which is allowed anyway', () => {
  const stripe = {
    PUBLIC_URL,
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
  expect(paymentSources({ PUBLIC_URL, STRIPE_SCRIPT_URL: `${url}/v3/` })).toEqual({
    script: [url],
    connect: [url],
    frame: [url],
  });
});

it('adds nothing where no address is set', () => {
  expect(paymentSources({ PUBLIC_URL })).toEqual({ script: [], connect: [], frame: [] });
});

it.each(['http://127.0.0.1:4242', 'http://localhost:4242', 'http://[::1]:4242'])(
  'never lets pages of another machine load anything from the visitor’s own: %s',
  (url) => {
    const addresses = { STRIPE_API_BASE: url, STRIPE_SCRIPT_URL: `${url}/v3/` };
    const nothing = { script: [], connect: [], frame: [] };
    expect(paymentSources({ PUBLIC_URL: 'https://cases.example', ...addresses })).toEqual(nothing);
  },
);
