import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { EventBus, EventHandler } from '@casewatch/messaging/event-bus';
import type { PersonalData } from '@casewatch/service-kit/database/personal-data';
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

/** Returns the one export of a service's `service.ts`. */
export function defineService<S extends SettingsShape>(
  definition: ServiceDefinition<S>,
): ServiceDefinition<S> {
  return definition;
}
