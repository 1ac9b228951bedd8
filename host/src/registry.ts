import { migrations as adminLog } from '@casewatch/admin-log/migrations';
import { migrations as billing } from '@casewatch/billing/migrations';
import { migrations as cases } from '@casewatch/cases/migrations';
import { migrations as identity } from '@casewatch/identity/migrations';
import { migrations as monitoring } from '@casewatch/monitoring/migrations';
import { migrations as notifications } from '@casewatch/notifications/migrations';
import type { ServiceDefinition } from '@casewatch/service-definition/define-service';
import type { MigrationSource } from '@casewatch/service-definition/migrate';
import { migrations as surveys } from '@casewatch/surveys/migrations';

/** What is known of a service before any of its code is read: a process pays only for those that it runs. */
export interface RegisteredService extends MigrationSource {
  load(): Promise<{ service: ServiceDefinition }>;
}

/** Every service of the product, in the order they start. */
export const registry: readonly RegisteredService[] = [
  { name: 'identity', migrations: identity, load: () => import('@casewatch/identity/service') },
  { name: 'cases', migrations: cases, load: () => import('@casewatch/cases/service') },
  { name: 'monitoring', migrations: monitoring, load: () => import('@casewatch/monitoring/service') },
  {
    name: 'notifications',
    migrations: notifications,
    load: () => import('@casewatch/notifications/service'),
  },
  { name: 'billing', migrations: billing, load: () => import('@casewatch/billing/service') },
  { name: 'surveys', migrations: surveys, load: () => import('@casewatch/surveys/service') },
  { name: 'admin-log', migrations: adminLog, load: () => import('@casewatch/admin-log/service') },
];

/** The event streams of notifications, without the rest of that service: a role that runs alone (ADR 51). */
export const streams: RegisteredService = {
  name: 'notifications',
  migrations: notifications,
  load: () => import('@casewatch/notifications/stream-service'),
};
