import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import type { OutboxHints } from '@casewatch/messaging/outbox-relay';
import type { RunningService } from '@casewatch/service-definition/define-service';
import { createAdminTokenVerifier } from '@casewatch/service-kit/http/admin-token';
import { type ListeningServer, listen } from '@casewatch/service-kit/http/http-server';
import { createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceLocation,
} from '@casewatch/service-kit/http/service-client';
import { createServiceRouter, type ServiceRouter } from '@casewatch/service-kit/http/service-router';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import {
  readSettings,
  SettingsError,
  type SettingsOf,
  urlSettingOf,
} from '@casewatch/service-kit/settings/settings';
import { measurePools } from '@casewatch/service-kit/telemetry/pool-metrics';
import type { RunningTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { countedLimiters } from '@casewatch/shared-state/limits/counted-limiters';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { createMemoryState, type SharedState } from '@casewatch/shared-state/shared-state';
import type { hostSettings } from './config.ts';
import { measureDependencies } from './dependencies.ts';
import { startEvents } from './events.ts';
import type { GatewayRoleOptions } from './gateway-role.ts';
import { configuredKeys, ephemeralKeys, type IdentityKeys, withOwnKey } from './identity-keys.ts';
import { listenForMetrics } from './metrics-listener.ts';
import type { Roles } from './roles.ts';

/**
 * Between processes of the product: an idle connection is closed before LEAVE_SECONDS of the chart are over, so that
 * none is closed while a request is being written to it.
 */
const INTERNAL_KEEP_ALIVE_MS = 5_000;

export interface ProductOptions {
  settings: SettingsOf<typeof hostSettings>;
  roles: Roles;
  /** The environment with what the simulators add. */
  env: NodeJS.ProcessEnv;
  databaseUrlOf(service: ServiceName): string;
  /** Where the other leads to a transaction pooler: to PostgreSQL itself. */
  directUrlOf?(service: ServiceName): string;
  clock: Clock;
  logger: Logger;
  telemetry: RunningTelemetry;
  /** What is started is added to it, so that a failure half-way stops the rest. */
  lifecycle: Lifecycle;
  /** Something of the product has failed permanently: the process should exit. */
  onFatal(error: Error): void;
}

/** Builds and starts the roles of this process in order: services, event bus, then the server that lets requests in. */
export async function startProduct(options: ProductOptions): Promise<ListeningServer> {
  const { roles, settings, clock, logger, lifecycle, telemetry } = options;
  const directUrlOf = options.directUrlOf ?? options.databaseUrlOf;
  const keys = chooseKeys(settings, roles);
  const internalSecrets = roles.allInOne ? [randomBytes(24).toString('base64url')] : settings.INTERNAL_SECRET;
  const internalSecret = internalSecrets?.[0];
  if (!internalSecret) throw new SettingsError(['INTERNAL_SECRET: is needed when the services run apart']);

  const shared = await openSharedState(settings, logger);
  lifecycle.add({ name: 'shared state', stop: shared.stop });
  const limiters = countedLimiters(shared.limiters, telemetry.meter);

  const running = new Map<ServiceName, RunningService>();
  // Read first when metrics are scraped: the other readings need connections themselves.
  measurePools(telemetry.meter, () => [...running].map(([service, { pools }]) => ({ service, pools })));
  const locate = locator(options.env, running);
  const hints: OutboxHints = new EventEmitter();
  const client = createServiceClient({ locate, internalSecret, telemetry });
  lifecycle.add({ name: 'service client', stop: client.stop });

  await startServices({ ...options, directUrlOf }, { running, shared, limiters, hints, client });
  // Event streams publish and handle no events.
  const withEvents = roles.streams ? new Map<ServiceName, RunningService>() : running;
  const events = await startEvents({ ...options, directUrlOf, running: withEvents, hints });
  lifecycle.add(events);
  const [probed] = running.keys();
  measureDependencies(telemetry.meter, {
    databaseUrl: probed && options.databaseUrlOf(probed),
    redis: settings.REDIS_URL && shared.ping ? { url: settings.REDIS_URL, ping: shared.ping } : undefined,
    kafka: events.kafka,
    agencyUrl: running.has('cases') && !settings.HTTPS_PROXY ? options.env.AGENCY_BASE_URL : undefined,
  });

  const routers = routersOf(options, running, { keys, internalSecrets });
  let leaving = false;
  const ready = async () => {
    if (leaving) throw new Error('this process is about to stop');
    events.requireReady();
    await Promise.all([...running.values()].map((service) => service.ready()));
  };
  const isEntrance = roles.gateway || roles.streams;
  const app = isEntrance
    ? await buildGateway(options, keys, {
        limiters,
        invalidation: shared.invalidation,
        client,
        routers,
        ready,
        alive: events.alive,
      })
    : createServiceApp({
        routers: [...routers.values()],
        ready,
        alive: events.alive,
        handleMetrics: settings.METRICS_PORT === undefined ? telemetry.handleMetrics : undefined,
        logger,
      });

  const metrics = await listenForMetrics(options);
  if (metrics) lifecycle.add({ name: 'metrics', stop: metrics.drain });
  const server = await listen(app, {
    host: settings.HOST,
    port: settings.PORT,
    ...(isEntrance ? {} : { keepAliveMs: INTERNAL_KEEP_ALIVE_MS }),
  });
  for (const { jobs } of running.values()) {
    for (const job of jobs) {
      job.start();
      lifecycle.add({ name: job.name, stop: () => job.stop() });
    }
  }
  lifecycle.add({ name: 'server', stop: drain });
  // Stopped first: load balancers that poll /readyz use other processes before anything is refused.
  lifecycle.add({ name: 'readiness', stop: leave });
  return server;

  function drain() {
    return server.drain(settings.DRAIN_SECONDS * 1000, settings.STREAM_DRAIN_SECONDS * 1000);
  }

  async function leave() {
    leaving = true;
    server.leave();
    await clock.sleep(settings.LEAVE_SECONDS * 1000);
  }
}

interface ServiceParts {
  /** Gets the services as they start. */
  running: Map<ServiceName, RunningService>;
  shared: SharedState;
  limiters: LimiterFactory;
  hints: OutboxHints;
  client: ServiceClient;
}

async function startServices(
  { roles, env, databaseUrlOf, directUrlOf, clock, logger, lifecycle, telemetry }: Required<ProductOptions>,
  { running, shared, limiters, hints, client }: ServiceParts,
): Promise<void> {
  for (const definition of roles.services) {
    const service = await definition.init({
      settings: readSettings(definition.settings, env),
      logger: logger.child({ service: definition.name }),
      clock,
      databaseUrl: databaseUrlOf(definition.name),
      directDatabaseUrl: directUrlOf(definition.name),
      limiters,
      bus: createOutboxPublisher({
        clock,
        tracing: telemetry.tracing,
        publishing: () => hints.emit(definition.name),
      }),
      invalidation: shared.invalidation,
      pubSub: shared.pubSub,
      services: client,
      telemetry,
    });
    running.set(definition.name, service);
    lifecycle.add({ name: definition.name, stop: () => service.stop() });
  }
}

function routersOf(
  { roles, clock, telemetry }: ProductOptions,
  running: ReadonlyMap<ServiceName, RunningService>,
  { keys, internalSecrets }: { keys: IdentityKeys; internalSecrets: readonly string[] | undefined },
): Map<ServiceName, ServiceRouter> {
  return new Map(
    [...running].map(([name, { routes }]) => {
      // In one process the internal routes are called directly and never served over HTTP.
      return [
        name,
        createServiceRouter({
          routes,
          verifyToken: createTokenVerifier(required(keys.publicKeys), name, clock),
          verifyAdminToken: createAdminTokenVerifier(required(keys.publicKeys), name, clock),
          internalSecrets: roles.allInOne ? [] : internalSecrets,
          telemetry,
        }),
      ];
    }),
  );
}

async function buildGateway(
  options: ProductOptions,
  keys: IdentityKeys,
  parts: Pick<GatewayRoleOptions, 'limiters' | 'invalidation' | 'client' | 'routers' | 'ready' | 'alive'>,
) {
  // Loaded only where it is used, like the services.
  const { createGatewayRole, createStreamsRole } = await import('./gateway-role.ts');
  const role = { ...options, ...parts, privateKey: required(keys.privateKey) };
  const gateway = options.roles.streams
    ? createStreamsRole({
        ...role,
        verifyToken: createTokenVerifier(required(keys.publicKeys), 'notifications', options.clock),
      })
    : createGatewayRole(role);
  options.lifecycle.add({ name: 'gateway', stop: gateway.stop });
  return gateway.handler;
}

function chooseKeys(settings: ProductOptions['settings'], { allInOne, gateway, streams, services }: Roles) {
  if (allInOne) return ephemeralKeys();
  const keys = configuredKeys(
    { privateKey: settings.TOKEN_PRIVATE_KEY, publicKey: settings.TOKEN_PUBLIC_KEY },
    { gateway, services: services.length > 0 },
  );
  return streams ? withOwnKey(keys) : keys;
}

async function openSharedState(
  { REDIS_URL: url, REDIS_PREFIX: prefix }: ProductOptions['settings'],
  logger: Logger,
): Promise<SharedState> {
  if (!url) return createMemoryState();
  const { openRedisState } = await import('@casewatch/shared-state/redis-state');
  return openRedisState({ url, prefix, logger: logger.child({ part: 'redis' }) });
}

function locator(env: NodeJS.ProcessEnv, running: ReadonlyMap<ServiceName, RunningService>) {
  return (service: ServiceName): ServiceLocation | undefined => {
    const local = running.get(service);
    if (local) return { kind: 'local', routes: local.routes };
    const url = env[urlSettingOf(service)];
    return url ? { kind: 'remote', url } : undefined;
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a key of this role was not read');
  return value;
}
