import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { Meter } from '@opentelemetry/api';
import { readGauges } from './read-gauges.ts';

/** Counts of a connection pool, as pg's pool has them. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Measures the database connections of each service of this process. */
export function measurePools(
  meter: Meter,
  poolsOf: () => readonly { service: ServiceName; pools: readonly PoolCounts[] }[],
): void {
  readGauges(
    meter,
    {
      casewatch_db_pool_connections: 'Database connections, and requests that wait for one.',
      casewatch_db_pool_size: 'The most database connections that there may be.',
    },
    () => ({
      casewatch_db_pool_connections: poolsOf().flatMap(({ service, pools }) => {
        const idle = sum(pools, ({ idleCount }) => idleCount);
        const used = sum(pools, ({ totalCount }) => totalCount) - idle;
        const waiting = sum(pools, ({ waitingCount }) => waitingCount);
        return Object.entries({ idle, used, waiting }).map(([state, value]) => ({
          value,
          attributes: { service, state },
        }));
      }),
      casewatch_db_pool_size: poolsOf().map(({ service, pools }) => ({
        value: sum(pools, ({ options }) => options.max),
        attributes: { service },
      })),
    }),
  );
}

function sum(pools: readonly PoolCounts[], count: (pool: PoolCounts) => number): number {
  return pools.reduce((total, pool) => total + count(pool), 0);
}
