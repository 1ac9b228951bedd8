import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import type { EventBus, EventHandler } from '@casewatch/messaging/event-bus';
import type { PersonalData } from '@casewatch/service-kit/database/personal-data';
import { migrationsOf } from '@casewatch/service-kit/database/service-url';
import { personalDataRoute } from '@casewatch/service-kit/http/personal-data-route';
import type { Route } from '@casewatch/service-kit/http/route';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf, SettingsShape } from '@casewatch/service-kit/settings/settings';
import type { PoolCounts } from '@casewatch/service-kit/telemetry/pool-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import type { PubSub } from '@casewatch/shared-state/pub-sub/pub-sub';
import type { Pool } from 'pg';
import { checkSchema } from './schema-check.ts';

/** Everything a service gets from outside; there is no other way in. */
export interface ServiceDeps<S extends SettingsShape = SettingsShape> {
  settings: SettingsOf<S>;
  logger: Logger;
  clock: Clock;
  /** PostgreSQL URL of the service's own role; its search path is the service's schema. */
  databaseUrl: string;
  /** The same without a transaction pooler in between, for what belongs to a session: LISTEN and session locks. */
  directDatabaseUrl: string;
  limiters: LimiterFactory;
  bus: EventBus;
  /** Invalidates changed sessions in the caches of all gateways. */
  invalidation: Pick<Invalidation, 'publish'>;
  /** Between the processes of the product, where there is a Redis. */
  pubSub: PubSub | undefined;
  /** Internal routes of other services, wherever they run. */
  services: ServiceClient;
  telemetry: Telemetry;
}

/** Background work from start to stop. */
export interface Job {
  readonly name: string;
  start(): void;
  stop(): Promise<void>;
}

/** A started service. */
export interface RunningService {
  readonly routes: readonly Route[];
  readonly consumers: readonly EventHandler[];
  readonly jobs: readonly Job[];
  /** Its database connections, to be measured. */
  readonly pools: readonly PoolCounts[];
  /** Rejects with the reason while the service can't do its work (its database is unavailable, its schema is behind). */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceDefinition<S extends SettingsShape = SettingsShape> {
  readonly name: ServiceName;
  readonly settings: S;
  /** Folder of numbered SQL files. */
  readonly migrations: URL;
  /** What its tables hold about a user, for the user to download. */
  readonly personalData: PersonalData;
  init(deps: ServiceDeps<S>): Promise<RunningService>;
}

/** What is special to a service. */
interface Definition<S extends SettingsShape> extends Omit<ServiceDefinition<S>, 'migrations' | 'init'> {
  /** The route by which users download what `personalData` names; unless given, another role of the service has it. */
  readonly download?: RouteContract & { readonly access: 'user' };
  init(deps: ServiceDeps<S>): Promise<StartedParts>;
}

interface StartedParts extends Omit<RunningService, 'pools' | 'ready'> {
  readonly pool: Pool;
  /** What it needs besides a database whose schema is not behind. */
  ready?(): Promise<void>;
}

/** Returns the one export of a service's `service.ts`: what is special to it, with what all services have. */
export function defineService<S extends SettingsShape>({
  download,
  init,
  ...definition
}: Definition<S>): ServiceDefinition<S> {
  const { name, personalData: data } = definition;
  const migrations = migrationsOf(name);
  return {
    ...definition,
    migrations,
    async init(deps) {
      const { pool, ready, ...parts } = await init(deps);
      const { logger } = deps;
      return {
        ...parts,
        pools: [pool],
        routes: download
          ? [...parts.routes, personalDataRoute(download, { pool, data, logger })]
          : parts.routes,
        ready: async () => {
          await checkSchema(pool, migrations);
          await ready?.();
        },
      };
    },
  };
}
