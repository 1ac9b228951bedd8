import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RouteContract } from '@casewatch/contracts/route-contract';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { settings } from '../src/config.ts';
import { service } from '../src/service.ts';

/** Starts the identity service on a database of its own with its real outbox; `serve` calls a route without HTTP around it. */
export async function startIdentity(env: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'casewatch-bench-'));
  const password = randomBytes(16).toString('base64url');
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), password });
  const logger = createLogger({ level: 'warn', name: 'bench' });
  await migrate({ ownerUrl: postgres.ownerUrl, services: [service], roleSecret: password, logger });
  const running = await service.init({
    settings: readSettings(settings, env),
    logger,
    clock: systemClock,
    databaseUrl: serviceUrl(postgres.ownerUrl, 'identity', password),
    directDatabaseUrl: serviceUrl(postgres.ownerUrl, 'identity', password),
    limiters: memoryLimiters,
    bus: createOutboxPublisher({ clock: systemClock, tracing: noTelemetry.tracing }),
    invalidation: { publish: () => undefined },
    pubSub: undefined,
    services: { call: () => Promise.reject(new Error('identity calls no other service')) },
    telemetry: noTelemetry,
  });
  return {
    serve(contract: RouteContract, body: unknown) {
      const route = running.routes.find((row) => row.contract === contract);
      if (!route) throw new Error(`${contract.id} is not served`);
      const signal = new AbortController().signal;
      const request = { requestId: '', address: '127.0.0.1', cookies: {}, signal };
      return route.serve({ params: {}, query: {}, body, caller: undefined, request });
    },
    async stop() {
      await running.stop();
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Milliseconds of two kinds of call, taken in turn, the first `warmUp` of each left out. */
export async function takeTurns<Kind extends string>(
  kinds: readonly [Kind, Kind],
  { rounds, warmUp }: { rounds: number; warmUp: number },
  call: (kind: Kind, round: number) => Promise<unknown>,
): Promise<Record<Kind, Spread>> {
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const kind of round % 2 ? kinds : kinds.toReversed()) {
      const startedAt = performance.now();
      await call(kind, round);
      if (round >= warmUp) times.get(kind)?.push(performance.now() - startedAt);
    }
  }
  const [first, second] = kinds;
  const result = { [first]: spreadOf(times.get(first)), [second]: spreadOf(times.get(second)) };
  return result as Record<Kind, Spread>;
}

export interface Spread {
  readonly median: number;
  /** Between the quartiles. */
  readonly low: number;
  readonly high: number;
}

function spreadOf(values: readonly number[] = []): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
