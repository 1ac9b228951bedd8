import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { ServiceDefinition } from '@casewatch/service-definition/define-service';
import type { MigrationSource } from '@casewatch/service-definition/migrate';
import { migrationsOf } from '@casewatch/service-kit/database/service-url';

/** What is known of a service before any of its code is read: a process pays only for those that it runs. */
export interface RegisteredService extends MigrationSource {
  load(): Promise<{ service: ServiceDefinition }>;
}

const registered = (name: ServiceName, load: RegisteredService['load']): RegisteredService => ({
  name,
  migrations: migrationsOf(name),
  load,
});

/** Every service of the product, in the order they start. */
export const registry: readonly RegisteredService[] = [
  registered('identity', () => import('@casewatch/identity/service')),
  registered('cases', () => import('@casewatch/cases/service')),
  registered('monitoring', () => import('@casewatch/monitoring/service')),
  registered('notifications', () => import('@casewatch/notifications/service')),
  registered('billing', () => import('@casewatch/billing/service')),
  registered('surveys', () => import('@casewatch/surveys/service')),
  registered('admin-log', () => import('@casewatch/admin-log/service')),
];

/** The event streams of notifications, without the rest of that service: a role that runs alone (ADR 51). */
export const streams = registered('notifications', () => import('@casewatch/notifications/stream-service'));
