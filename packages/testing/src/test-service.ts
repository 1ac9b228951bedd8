import { generateKeyPairSync } from 'node:crypto';
import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { Tier } from '@casewatch/contracts/limits';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { logForFailures } from '@casewatch/dev-stack/processes/process-logs';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { ServiceDefinition } from '@casewatch/service-definition/define-service';
import { createAdminTokenIssuer, createAdminTokenVerifier } from '@casewatch/service-kit/http/admin-token';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createTokenIssuer, createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { ADMIN_HEADER, IDENTITY_HEADER, INTERNAL_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { readSettings, type SettingsShape } from '@casewatch/service-kit/settings/settings';
import { noTelemetry, type Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import {
  createMemoryInvalidation,
  type Invalidation,
} from '@casewatch/shared-state/invalidation/invalidation';
import { type LimiterFactory, memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import type { PubSub } from '@casewatch/shared-state/pub-sub/pub-sub';
import { pino } from 'pino';
import { createOutboxBus, forgetEvents, publishedEvents } from './outbox-bus.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestServiceOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Printed when a test fails by default. */
  logger?: Logger;
  /** The service's real outbox by default; see `published`. */
  bus?: EventBus;
  services?: ServiceClient;
  limiters?: LimiterFactory;
  /** What several of them share; its own by default. */
  invalidation?: Pick<Invalidation, 'publish'>;
  pubSub?: PubSub;
  database?: TestDatabase;
  /** Measures nothing by default. */
  telemetry?: Telemetry;
}

export interface Person {
  userId: string;
  tier?: Tier;
  name?: string;
  sessionId?: string;
}

export interface CallOptions {
  as?: Person;
  /** Call as the administrator of this session, a UUID of your choice. */
  adminSession?: string;
  /** The role of that administrator, `owner` by default. */
  adminRole?: AdminRole;
  /** Who that administrator is; the passcode by default. */
  administratorId?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Disconnects the client when it aborts. */
  signal?: AbortSignal;
}

/**
 * Starts one service, whole, over real HTTP and a real database of its own. `call` sends what the gateway would send:
 * a signed token for `as` or `adminSession`, JSON, and the internal secret on internal routes.
 */
export async function startTestService<S extends SettingsShape>(
  definition: ServiceDefinition<S>,
  options: TestServiceOptions = {},
) {
  const clock = options.clock ?? systemClock;
  const database = options.database ?? (await createTestDatabase());
  const logger =
    options.logger ?? pino({ level: 'info' }, logForFailures(`${definition.name} (${database.name})`));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issueToken = createTokenIssuer(privateKey, clock);
  const issueAdminToken = createAdminTokenIssuer(privateKey, clock);
  const internalSecret = 'test-internal';
  const service = await definition.init({
    settings: readSettings(definition.settings, options.env ?? {}),
    logger,
    clock,
    databaseUrl: database.urlFor(definition.name),
    directDatabaseUrl: database.directUrlFor(definition.name),
    limiters: options.limiters ?? memoryLimiters,
    bus: options.bus ?? createOutboxBus(clock),
    invalidation: options.invalidation ?? createMemoryInvalidation(),
    pubSub: options.pubSub,
    services: options.services ?? unreachable,
    telemetry: options.telemetry ?? noTelemetry,
  });
  // Calls between services are sent to the one that the contract names.
  const astray = service.routes.find(({ contract }) => contract.service !== definition.name);
  if (astray)
    throw new Error(`${astray.contract.id} is served by ${definition.name}, and its contract names another`);
  const router = createServiceRouter({
    routes: service.routes,
    verifyToken: createTokenVerifier([publicKey], definition.name, clock),
    verifyAdminToken: createAdminTokenVerifier([publicKey], definition.name, clock),
    internalSecrets: [internalSecret],
  });
  const server = await listen(createServiceApp({ routers: [router], ready: () => service.ready(), logger }), {
    host: '127.0.0.1',
    port: 0,
  });
  return {
    url: server.url,
    database,
    service,
    /** Returns what was published and committed in this database, oldest first. */
    published: () => publishedEvents(database, definition.name),
    forgetPublished: () => forgetEvents(database, definition.name),
    call: (
      method: string,
      path: string,
      {
        as,
        adminSession,
        adminRole = 'owner',
        administratorId,
        body,
        headers = {},
        signal,
      }: CallOptions = {},
    ) =>
      fetch(server.url + path, {
        method,
        ...(signal ? { signal } : {}),
        headers: {
          ...(as ? { [IDENTITY_HEADER]: issueToken(whole(as), definition.name) } : {}),
          ...(adminSession === undefined
            ? {}
            : {
                [ADMIN_HEADER]: issueAdminToken(
                  {
                    sessionId: adminSession,
                    role: adminRole,
                    name: administratorId === undefined ? 'passcode' : 'Grace Hopper',
                    administratorId: administratorId ?? null,
                  },
                  definition.name,
                ),
              }),
          ...(path.startsWith('/internal/') ? { [INTERNAL_HEADER]: internalSecret } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    stop: async () => {
      await server.drain();
      for (const job of service.jobs) await job.stop();
      await service.stop();
      if (!options.database) await database.drop();
    },
  };
}

const whole = ({ tier = 'free', name = 'Test', sessionId = SOME_SESSION, ...person }: Person) => ({
  tier,
  name,
  sessionId,
  ...person,
});
const SOME_SESSION = '00000000-0000-4000-8000-00000000c0de';

const unreachable: ServiceClient = {
  call: async (contract) => {
    throw new Error(`this test started no ${(contract as { service: ServiceName }).service} service`);
  },
};
