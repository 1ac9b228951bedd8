import type { AnswerOf } from '@casewatch/contracts/route-contract';
import { vi } from 'vitest';
import * as endpoints from '../src/api/endpoints.ts';
import { signedIn } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { BILLING_CONFIG, FREE_USER, NO_SUBSCRIPTION } from './samples.ts';

interface Options {
  locale?: unknown;
}

/** In place of the provider's script: a form that is ready as soon as it is shown. `note` gets the options of each call. */
export function readyStripe(note: (options: Options) => void = () => {}) {
  const stripe = (_key: string, options: Options) => {
    note(options);
    return {
      elements: (given: Options) => {
        note(given);
        return { create: () => readyForm(), update: note };
      },
      _registerWrapper: () => undefined,
    };
  };
  return Object.assign(stripe, { version: 'endive' });
}

function readyForm() {
  return {
    on: (name: string, listener: () => void) => name === 'ready' && queueMicrotask(listener),
    mount: () => undefined,
    destroy: () => undefined,
  };
}

/** Signs a free user in, who may buy Pro without a trial, by the month or by the year. */
export function mayBuy(api: FakeApi, config: Partial<AnswerOf<typeof endpoints.getBillingConfig>>): void {
  vi.stubGlobal('Stripe', readyStripe());
  signedIn(api, FREE_USER);
  api.answers(endpoints.getSubscription, NO_SUBSCRIPTION);
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, trialDays: 0, ...config });
  api.answers(endpoints.listPrices, [
    { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
    { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
  ]);
}
