import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import type { DeliveryLog, DueDelivery } from '../domain/delivery-log.ts';
import type { PushDigestLog } from '../domain/digest-pushes.ts';
import type { DigestLog, DigestSchedules } from '../domain/digests.ts';
import type { PushDevices } from '../domain/push-devices.ts';
import type { NotificationRetention } from '../domain/retention.ts';
import type { DuePush } from '../domain/status-pushes.ts';
import type { SettingsStore, Store } from '../domain/store.ts';
import { createAccountDeliveryLog, createDeliveryLog, createPushLog } from './deliveries.ts';
import { createDigestLog, createDigestSchedules } from './digests.ts';
import { createStore } from './notifications.ts';
import { createPushDevices } from './push-devices.ts';
import { createPushDigestLog } from './push-digests.ts';
import { createSettingsStore } from './settings-rows.ts';

export interface Database {
  readonly store: Store & NotificationRetention;
  readonly settings: SettingsStore;
  readonly deliveries: DeliveryLog;
  readonly accountDeliveries: DeliveryLog<DueDelivery>;
  readonly digests: DigestLog;
  readonly digestSchedules: DigestSchedules;
  readonly pushDigests: PushDigestLog;
  readonly pushDigestSchedules: DigestSchedules;
  readonly pushDeliveries: DeliveryLog<DuePush>;
  readonly pushDevices: PushDevices;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens the service's store and delivery log with the connections they work on. */
export function openDatabase(options: { url: string; maximum: number; logger: Logger }): Database {
  const pool = createDatabasePool({ ...options, service: 'notifications' });
  return {
    store: createStore(pool),
    settings: createSettingsStore(pool),
    deliveries: createDeliveryLog(poolExecutor(pool)),
    accountDeliveries: createAccountDeliveryLog(poolExecutor(pool)),
    digests: createDigestLog(poolExecutor(pool), pool),
    digestSchedules: createDigestSchedules(poolExecutor(pool), pool, 'email'),
    pushDigests: createPushDigestLog(poolExecutor(pool), pool),
    pushDigestSchedules: createDigestSchedules(poolExecutor(pool), pool, 'push'),
    pushDeliveries: createPushLog(poolExecutor(pool)),
    pushDevices: createPushDevices(pool),
    pool,
    close: () => pool.end(),
  };
}
