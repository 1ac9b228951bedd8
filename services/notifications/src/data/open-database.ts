import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { Channel } from '../domain/choose-deliveries.ts';
import type { DigestSchedules } from '../domain/digests.ts';
import type { ReceivedRows } from '../domain/notify-users.ts';
import type { PushDevices } from '../domain/push-devices.ts';
import type { NotificationRetention } from '../domain/retention.ts';
import type { SettingsStore, Store } from '../domain/store.ts';
import { createDeliveryLogs, type DeliveryLogs } from './delivery-logs.ts';
import { createDigestSchedules } from './digests.ts';
import { createStore } from './notifications.ts';
import { createPushDevices, removeDevicesOfSessions } from './push-devices.ts';
import { queueAccountMail } from './queue-deliveries.ts';
import { recordNotifications } from './record-notifications.ts';
import { createSettingsStore } from './settings-rows.ts';
import { eraseUser } from './user-rows.ts';

export interface Database {
  readonly store: Store & NotificationRetention;
  readonly settings: SettingsStore;
  readonly logs: DeliveryLogs;
  readonly digestSchedules: Readonly<Record<Channel, DigestSchedules>>;
  readonly pushDevices: PushDevices;
  readonly received: ReceivedRows;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens the service's store and delivery log with the connections they work on. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }): Database {
  const pool = createDatabasePool({ ...options, service: 'notifications' });
  return {
    store: createStore(pool),
    settings: createSettingsStore(pool),
    logs: createDeliveryLogs(pool),
    digestSchedules: {
      email: createDigestSchedules(pool, 'email'),
      push: createDigestSchedules(pool, 'push'),
    },
    pushDevices: createPushDevices(pool),
    received: { recordNotifications, queueAccountMail, eraseUser, removeDevicesOfSessions },
    pool,
    close: () => pool.end(),
  };
}
