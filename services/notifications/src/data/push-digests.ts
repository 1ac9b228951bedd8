import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Pool } from 'pg';
import type { DuePushDigest, PushDigestLog } from '../domain/digest-pushes.ts';
import {
  type ClaimedRow,
  claiming,
  type DeviceRow,
  openLog,
  toDelivery,
  toPushedDevice,
} from './deliveries.ts';
import { createDigestChanges, digestKindOf } from './digests.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface ClaimedPushDigest extends ClaimedRow, SettingsRow, DeviceRow {
  kind: string;
}

const CLAIM = claiming(
  'push_digests',
  'id',
  `SELECT claimed.*, digest.user_id, kind, device_id, session_id, endpoint, p256dh, auth, public_key, show_receipt_numbers,
     language, settings
   FROM claimed JOIN push_digests AS digest USING (id) JOIN push_devices AS device ON device.id = device_id
     LEFT JOIN preferences ON preferences.user_id = digest.user_id
   ORDER BY claimed.queued_at`,
);

/** Creates the digests to devices, in the table `push_digests`. */
export function createPushDigestLog(sql: SqlExecutor, pool: Pool): PushDigestLog {
  const log = openLog<ClaimedPushDigest, DuePushDigest>(sql, {
    table: 'push_digests',
    key: 'id',
    claim: CLAIM,
    toDue: (row) => ({
      ...toDelivery(row),
      userId: row.user_id,
      kind: digestKindOf(row.kind),
      settings: toSettings(row),
      device: toPushedDevice(row),
    }),
  });
  return { ...log, ...createDigestChanges(pool, 'push') };
}
