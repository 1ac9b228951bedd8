import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { COLLECTED } from '../domain/choose-deliveries.ts';
import type { DuePushDigest, PushDigestChange, PushDigestLog } from '../domain/digest-pushes.ts';
import { DIGEST_KINDS } from '../domain/digest-schedule.ts';
import { CHANGES_PER_DIGEST } from '../domain/digests.ts';
import {
  type ClaimedRow,
  claiming,
  type DeviceRow,
  openLog,
  toDelivery,
  toPushedDevice,
} from './deliveries.ts';
import { digestKindOf } from './digests.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface ClaimedPushDigest extends ClaimedRow, SettingsRow, DeviceRow {
  user_id: string;
  kind: string;
  after_seq: number;
  until_seq: number;
}

interface ChangeRow {
  digestId: string;
  notificationId: string;
  receiptNumber: string;
  oldStatus: string | null;
  newStatus: string;
  /** Of its own message to the device; null where there is none. */
  state: string | null;
  reason: string | null;
}

const CLAIM = claiming(
  'push_digests',
  'id',
  `SELECT claimed.*, digest.user_id, kind, after_seq, until_seq, device_id, endpoint, p256dh, auth, public_key,
     show_receipt_numbers, language, recipients.email, settings, push_timings
   FROM claimed JOIN push_digests AS digest USING (id) JOIN push_devices AS device ON device.id = device_id
     JOIN recipients ON recipients.user_id = digest.user_id
     LEFT JOIN preferences ON preferences.user_id = digest.user_id
   ORDER BY claimed.queued_at`,
);

const CHANGES = `
  SELECT digest.id AS "digestId", change.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[])
    AS digest (id, user_id, device_id, after_seq, until_seq)
  CROSS JOIN LATERAL (
    SELECT n.id AS "notificationId", receipt_number AS "receiptNumber", old_status AS "oldStatus",
      new_status AS "newStatus", log.state, log.last_error AS reason, seq
    FROM notifications AS n
    LEFT JOIN push_deliveries AS log ON log.notification_id = n.id AND log.device_id = digest.device_id
    WHERE n.user_id = digest.user_id AND n.seq > digest.after_seq AND n.seq <= digest.until_seq AND milestone IS NULL
    ORDER BY n.seq DESC LIMIT ${CHANGES_PER_DIGEST}) AS change
  ORDER BY change.seq`;

/** The digests to devices, in the table `push_digests`. */
export function createPushDigestLog(sql: SqlExecutor): PushDigestLog {
  const log = openLog<ClaimedPushDigest, DuePushDigest>(sql, {
    table: 'push_digests',
    key: 'id',
    claim: CLAIM,
    toDue: (row) => ({
      ...toDelivery(row),
      userId: row.user_id,
      kind: digestKindOf(row.kind),
      afterSeq: row.after_seq,
      untilSeq: row.until_seq,
      settings: toSettings(row),
      device: toPushedDevice(row),
    }),
  });
  return {
    ...log,
    async changesOf(digests) {
      const rows = await sql.query<ChangeRow>(CHANGES, [
        digests.map(({ id }) => id),
        digests.map(({ userId }) => userId),
        digests.map(({ device }) => device.id),
        digests.map(({ afterSeq }) => afterSeq),
        digests.map(({ untilSeq }) => untilSeq),
      ]);
      return rows.map(({ state, reason, ...change }) => ({ ...change, chosen: chosenOf(state, reason) }));
    },
  };
}

function chosenOf(state: string | null, reason: string | null): PushDigestChange['chosen'] {
  const collected = DIGEST_KINDS.find((kind) => COLLECTED[kind] === reason);
  if (state === 'skipped' && collected) return collected;
  return state === null || reason === 'opted-out' ? undefined : 'alone';
}
