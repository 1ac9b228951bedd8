import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createDeliveryLogs } from './delivery-logs.ts';
import { createDigestSchedules } from './digests.ts';
import { createStore } from './notifications.ts';
import { createPushDevices, removeDevicesOfSessions } from './push-devices.ts';
import { queueAccountMail } from './queue-deliveries.ts';
import { recordNotifications } from './record-notifications.ts';
import { createSettingsStore } from './settings-rows.ts';
import { eraseUser } from './user-rows.ts';

/** Opens the service's store and delivery log with the connections they work on. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }) {
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
