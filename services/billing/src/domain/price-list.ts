import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { type PlanPrice, type Provider, paymentsUnavailable } from './provider.ts';
import type { Store } from './store.ts';

const FRESH_MS = 10 * 60_000;
/** Interval between attempts after a failure. */
const RETRY_MS = 15_000;

export interface PriceList {
  /** Returns the offered prices. @throws AppError PAYMENTS_UNAVAILABLE when they were never read */
  offered(): Promise<readonly PlanPrice[]>;
  /** Returns the prices as last read, without asking the provider; none when they were never read. */
  lastKnown(): Promise<readonly PlanPrice[]>;
}

/**
 * Serves prices from memory, or as last saved in the database, and refreshes them in the background, so that they are
 * shown without delay and while the provider is unavailable.
 */
export function createPriceList(parts: {
  store: Store;
  provider: Pick<Provider, 'listPrices'>;
  clock: Clock;
  logger: Logger;
}): PriceList {
  const { store, provider, clock, logger } = parts;
  let known: readonly PlanPrice[] = [];
  const time = steadyTime(clock);
  let nextMs = 0;
  let refreshing: Promise<readonly PlanPrice[]> | undefined;

  function refresh(): Promise<readonly PlanPrice[]> {
    refreshing ??= load().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function load(): Promise<readonly PlanPrice[]> {
    nextMs = time() + RETRY_MS;
    const prices = await provider.listPrices();
    if (prices.length === 0) throw paymentsUnavailable(new Error('the provider has none of the prices'));
    await store.savePrices(prices, clock.nowMs());
    known = prices;
    nextMs = time() + FRESH_MS;
    return prices;
  }

  async function lastKnown(): Promise<readonly PlanPrice[]> {
    if (known.length === 0) known = await store.prices();
    return known;
  }

  return {
    lastKnown,
    async offered() {
      await lastKnown();
      if (known.length === 0) return refresh();
      if (time() >= nextMs) {
        refresh().catch((error: unknown) =>
          logger.warn({ err: error }, 'price list: refresh failed, serving the last known prices'),
        );
      }
      return known;
    },
  };
}
