import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logIn, signUp } from '@casewatch/contracts/identity';
import type { RouteContract } from '@casewatch/contracts/route-contract';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import type { RunningService } from '@casewatch/service-definition/define-service';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createMemoryCache } from '@casewatch/shared-state/cache/cache';
import { createMemoryCallQueues } from '@casewatch/shared-state/call-queues/memory-call-queues';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { settings } from '../src/config.ts';
import { service } from '../src/service.ts';

/**
 * How long a refused sign-in takes with a known and with an unknown e-mail address, measured in turn. Prints both
 * medians and their difference, which should stay under 5 % on a quiet machine.
 */
const ROUNDS = 300;
const WARM_UP = 30;
const PASSWORD = 'correct horse battery';

const folder = await mkdtemp(path.join(tmpdir(), 'casewatch-bench-'));
const password = randomBytes(16).toString('base64url');
const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), password });
try {
  const logger = createLogger({ level: 'warn', name: 'bench' });
  await migrate({ ownerUrl: postgres.ownerUrl, services: [service], roleSecret: password, logger });
  const running = await service.init({
    settings: readSettings(settings, {
      SIGN_IN_TRIES_PER_ACCOUNT: '1000000',
      SIGN_IN_TRIES_PER_ADDRESS: '1000000',
    }),
    logger,
    clock: systemClock,
    databaseUrl: serviceUrl(postgres.ownerUrl, 'identity', password),
    limiters: memoryLimiters,
    cache: createMemoryCache(systemClock),
    callQueues: createMemoryCallQueues(systemClock),
    bus: { publish: async () => undefined, publishAll: async () => undefined },
    invalidation: { publish: () => undefined },
    services: { call: () => Promise.reject(new Error('identity calls no other service')) },
    telemetry: noTelemetry,
  });
  await measure(running);
  await running.stop();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}

async function measure(running: RunningService): Promise<void> {
  const body = { email: 'known@example.org', password: PASSWORD, firstName: 'A', lastName: 'B' };
  await serve(running, signUp, body);
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const kind of round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const startedAt = performance.now();
      const refused = { email: `${kind}@example.org`, password: 'not the password' };
      await serve(running, logIn, refused).then(failBench, expectRefusal);
      if (round >= WARM_UP) times[kind].push(performance.now() - startedAt);
    }
  }
  const known = median(times.known);
  const unknown = median(times.unknown);
  const difference = (Math.abs(known - unknown) / known) * 100;
  console.log(`refused sign-in, median of ${ROUNDS}, in turn`);
  console.log(`  known address    ${known.toFixed(2)} ms`);
  console.log(`  unknown address  ${unknown.toFixed(2)} ms`);
  console.log(`  difference       ${difference.toFixed(2)} %`);
}

function failBench(): never {
  throw new Error('a wrong password signed somebody in');
}

function expectRefusal(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_CREDENTIALS') throw error;
}

function serve(running: RunningService, contract: RouteContract, body: unknown) {
  const route = running.routes.find((row) => row.contract === contract);
  if (!route) throw new Error(`${contract.id} is not served`);
  const request = { requestId: '', address: '127.0.0.1', cookies: {}, signal: new AbortController().signal };
  return route.serve({ params: {}, query: {}, body, caller: undefined, request });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
