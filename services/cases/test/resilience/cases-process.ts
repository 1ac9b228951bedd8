import { createPublicKey } from 'node:crypto';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { createAdminTokenVerifier } from '@casewatch/service-kit/http/admin-token';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createMemoryInvalidation } from '@casewatch/shared-state/invalidation/invalidation';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { pino } from 'pino';
import { service } from '../../src/service.ts';

/**
 * The cases service alone, as a process that tests may kill, freeze and stop: without Kafka, so that what it publishes stays in its
 * outbox. `TEST_CLOCK_AHEAD_MS` sets every clock of it ahead.
 */

const { env } = process;
const aheadMs = Number(env.TEST_CLOCK_AHEAD_MS ?? 0);
const realNow = Date.now;
Date.now = () => realNow() + aheadMs;
const trueClock = { nowMs: () => realNow(), sleep: systemClock.sleep };

const logger = pino({ level: 'info' });
const running = await service.init({
  settings: readSettings(service.settings, env),
  logger,
  clock: systemClock,
  databaseUrl: needed('DATABASE_URL'),
  directDatabaseUrl: needed('DATABASE_DIRECT_URL'),
  limiters: memoryLimiters,
  bus: createOutboxPublisher({ clock: systemClock }),
  invalidation: createMemoryInvalidation(),
  pubSub: undefined,
  services: {
    call: () => Promise.reject(new Error('no other service runs')),
  },
  telemetry: noTelemetry,
});
const publicKeys = [createPublicKey(needed('TOKEN_PUBLIC_KEY'))];
const router = createServiceRouter({
  routes: running.routes,
  // The process that sends requests has the true time.
  verifyToken: createTokenVerifier(publicKeys, 'cases', trueClock),
  verifyAdminToken: createAdminTokenVerifier(publicKeys, 'cases', trueClock),
  internalSecrets: [needed('INTERNAL_SECRET')],
});
const app = createServiceApp({ routers: [router], ready: () => running.ready(), logger });
const server = await listen(app, { host: '127.0.0.1', port: Number(needed('PORT')) });

/** As long as a load balancer takes to use other processes. */
const LEAVE_MS = 500;

process.once('SIGTERM', async () => {
  server.leave();
  await systemClock.sleep(LEAVE_MS);
  await server.drain();
  await running.stop();
});

function needed(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
