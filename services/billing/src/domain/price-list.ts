import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { PlanPrice, Provider } from './provider.ts';
import type { Store } from './store.ts';
import { paymentsUnavailable } from './unavailable.ts';

const FRESH_MS = 10 * 60_000;
/** After a failure the provider is not asked again for so long. */
const RETRY_MS = 15_000;

export interface PriceList {
  /** The prices that are offered. @throws AppError PAYMENTS_UNAVAILABLE when they were never known */
  offered(): Promise<readonly PlanPrice[]>;
}

/**
 * Prices change rarely: they are shown from memory, or as they were last known to the database, and asked for anew in
 * the background. So the page has them at once, and also while the provider is away.
 */
export function createPriceList(parts: {
  store: Store;
  provider: Pick<Provider, 'listPrices'>;
  clock: Clock;
  logger: Logger;
}): PriceList {
  const { store, provider, clock, logger } = parts;
  let known: readonly PlanPrice[] = [];
  let nextMs = 0;
  let asking: Promise<readonly PlanPrice[]> | undefined;

  function refresh(): Promise<readonly PlanPrice[]> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function ask(): Promise<readonly PlanPrice[]> {
    nextMs = clock.nowMs() + RETRY_MS;
    const prices = await provider.listPrices();
    if (prices.length === 0) throw paymentsUnavailable(new Error('the provider has none of the prices'));
    await store.savePrices(prices, clock.nowMs());
    known = prices;
    nextMs = clock.nowMs() + FRESH_MS;
    return prices;
  }

  return {
    async offered() {
      if (known.length === 0) known = await store.prices();
      if (known.length === 0) return refresh();
      if (clock.nowMs() >= nextMs) {
        refresh().catch((error: unknown) =>
          logger.warn({ err: error }, 'the prices could not be brought up to date'),
        );
      }
      return known;
    },
  };
}
