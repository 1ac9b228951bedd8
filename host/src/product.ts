import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { resolveSession } from '@casewatch/contracts/identity';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { gatewaySettings } from '@casewatch/gateway/config';
import { createGateway, type Upstream } from '@casewatch/gateway/gateway';
import { createMemoryState, openRedisState } from '@casewatch/platform/cache/shared-state';
import { readSettings, SettingsError, type SettingsOf } from '@casewatch/platform/config/settings';
import { createOutboxPublisher } from '@casewatch/platform/events/outbox-publisher';
import { type ListeningServer, listen } from '@casewatch/platform/http/http-server';
import { createTokenIssuer, createTokenVerifier } from '@casewatch/platform/http/identity-token';
import { createServiceApp } from '@casewatch/platform/http/service-app';
import { createServiceClient, type ServiceLocation } from '@casewatch/platform/http/service-client';
import { createServiceRouter } from '@casewatch/platform/http/service-router';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Lifecycle } from '@casewatch/platform/runtime/lifecycle';
import type { Logger } from '@casewatch/platform/runtime/logger';
import type { RunningService } from '@casewatch/platform/runtime/service-definition';
import type { hostSettings } from './config.ts';
import { startEvents } from './events.ts';
import { configuredKeys, ephemeralKeys } from './identity-keys.ts';
import { registry } from './registry.ts';
import { type Roles, urlSettingOf } from './roles.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface ProductOptions {
  settings: SettingsOf<typeof hostSettings>;
  roles: Roles;
  /** The environment with what the simulators add. */
  env: NodeJS.ProcessEnv;
  databaseUrlOf(service: ServiceName): string;
  clock: Clock;
  logger: Logger;
  /** What is started is added to it, so that a failure half-way stops the rest. */
  lifecycle: Lifecycle;
  /** Something of the product has given up for good: the process should end. */
  onFatal(error: Error): void;
}

/** Builds and starts the roles of this process in order: services, event bus, then the server that lets requests in. */
export async function startProduct(options: ProductOptions): Promise<ListeningServer> {
  const { roles, settings, clock, logger, lifecycle } = options;
  const keys = roles.allInOne
    ? ephemeralKeys()
    : configuredKeys(
        { privateKey: settings.TOKEN_PRIVATE_KEY, publicKey: settings.TOKEN_PUBLIC_KEY },
        { gateway: roles.gateway, services: roles.services.length > 0 },
      );
  const internalSecret = roles.allInOne ? randomBytes(24).toString('base64url') : settings.INTERNAL_SECRET;
  if (!internalSecret) throw new SettingsError(['INTERNAL_SECRET: is needed when the services run apart']);

  const shared = settings.REDIS_URL
    ? await openRedisState({ url: settings.REDIS_URL, logger: logger.child({ part: 'redis' }) })
    : createMemoryState(clock);
  lifecycle.add({ name: 'shared state', stop: shared.stop });

  const running = new Map<ServiceName, RunningService>();
  const locate = locator(options.env, running);
  const client = createServiceClient({ locate, internalSecret });
  lifecycle.add({ name: 'service client', stop: client.stop });

  for (const definition of roles.services) {
    const service = await definition.init({
      settings: readSettings(definition.settings, options.env),
      logger: logger.child({ service: definition.name }),
      clock,
      databaseUrl: options.databaseUrlOf(definition.name),
      limiters: shared.limiters,
      cache: shared.cache,
      callWindows: shared.callWindows,
      bus: createOutboxPublisher({ clock }),
      services: client,
    });
    running.set(definition.name, service);
    lifecycle.add({ name: definition.name, stop: () => service.stop() });
  }
  const events = await startEvents({ ...options, running });
  lifecycle.add(events);

  const routers = new Map(
    [...running].map(([name, { routes }]) => {
      const verifyToken = createTokenVerifier(required(keys.publicKey), name, clock);
      // In one process the internal routes are called directly and never served over HTTP.
      return [
        name,
        createServiceRouter({
          routes,
          verifyToken,
          internalSecret: roles.allInOne ? undefined : internalSecret,
        }),
      ] as const;
    }),
  );
  const ready = async () => {
    await Promise.all([...running.values()].map((service) => service.ready()));
  };
  const app = roles.gateway
    ? await buildGateway()
    : createServiceApp({ routers: [...routers.values()], ready, alive: events.alive, logger });

  const server = await listen(app, { host: settings.HOST, port: settings.PORT });
  for (const { jobs } of running.values()) {
    for (const job of jobs) {
      job.start();
      lifecycle.add({ name: job.name, stop: () => job.stop() });
    }
  }
  lifecycle.add({ name: 'server', stop: () => server.drain() });
  return server;

  async function buildGateway() {
    const upstreams = new Map<ServiceName, Upstream>();
    for (const { name } of registry) {
      const router = routers.get(name);
      const url = options.env[urlSettingOf(name)];
      if (router) upstreams.set(name, { kind: 'local', router });
      else if (url) upstreams.set(name, { kind: 'remote', url });
    }
    const gateway = await createGateway({
      settings: readSettings(gatewaySettings, options.env),
      logger: logger.child({ service: 'gateway' }),
      clock,
      limiters: shared.limiters,
      invalidation: shared.invalidation,
      issueToken: createTokenIssuer(required(keys.privateKey), clock),
      resolveSession: async (sid) => (await client.call(resolveSession, { body: { sid } })).session,
      upstreams,
      webRoot,
      ready,
      alive: events.alive,
    });
    lifecycle.add({ name: 'gateway', stop: gateway.stop });
    return gateway.app;
  }
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
