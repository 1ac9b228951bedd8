import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

/** The requested part of the product: the API, or pages and files. */
export type Area = 'api' | 'web';

export interface RefusalLog {
  note(refusal: { status: number; area: Area; address: string }): void;
  /** Logs what was counted and not logged yet. */
  stop(): void;
}

interface Count {
  readonly status: number;
  readonly area: Area;
  requests: number;
  readonly addresses: Set<string>;
}

const INTERVAL_MS = 10_000;
/** Further addresses are counted together, which bounds the memory of the log. */
const MAX_ADDRESSES = 1_000;

/**
 * Logs requests that no route answered or that a rate limit refused: one line per status and area every 10 seconds, with
 * their number and from how many addresses (IPv6: /64 networks) they came. A client can't fill the log with them.
 */
export function createRefusalLog(logger: Logger, clock: Clock): RefusalLog {
  const counts = new Map<string, Count>();
  const stopping = new AbortController();

  function flush(): void {
    for (const { status, area, requests, addresses } of counts.values()) {
      logger.info(
        { status, area, requests, addresses: addresses.size },
        'gateway: requests refused, counted over 10 s',
      );
    }
    counts.clear();
  }

  function countOf(status: number, area: Area): Count {
    const key = `${status} ${area}`;
    const known = counts.get(key);
    if (known) return known;
    if (counts.size === 0) void clock.sleep(INTERVAL_MS, stopping.signal).then(flush, flush);
    const made = { status, area, requests: 0, addresses: new Set<string>() };
    counts.set(key, made);
    return made;
  }

  return {
    note({ status, area, address }) {
      const count = countOf(status, area);
      count.requests += 1;
      if (count.addresses.size < MAX_ADDRESSES) count.addresses.add(limitKey(address));
    },
    stop: () => stopping.abort(new Error('stopping')),
  };
}
