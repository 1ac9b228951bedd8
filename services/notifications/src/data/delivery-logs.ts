import { preferredLanguage } from '@casewatch/contracts/languages';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Pool } from 'pg';
import type { PushedDevice } from '../domain/check-devices.ts';
import type { DeliveryLog } from '../domain/delivery-log.ts';
import type { PushDigestLog } from '../domain/digest-pushes.ts';
import type { DigestLog, DueDigest } from '../domain/digests.ts';
import type { DueMail } from '../domain/status-mails.ts';
import type { DuePush } from '../domain/status-pushes.ts';
import { type ClaimedRow, openLog, toDelivery } from './deliveries.ts';
import { createDigestChanges, digestKindOf } from './digests.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';
import { SUBJECT_COLUMNS, type SubjectRow, toSubject } from './subject-row.ts';

/** The messages of each kind that are to be sent. */
export interface DeliveryLogs {
  readonly accountMails: DeliveryLog;
  readonly statusMails: DeliveryLog<DueMail>;
  readonly statusPushes: DeliveryLog<DuePush>;
  readonly digestMails: DigestLog;
  readonly digestPushes: PushDigestLog;
}

export function createDeliveryLogs(pool: Pool): DeliveryLogs {
  const sql = poolExecutor(pool);
  const changes = createDigestChanges(pool);
  return {
    accountMails: openLog(sql, {
      channel: 'email',
      kind: 'account',
      select: 'SELECT * FROM claimed ORDER BY queued_at',
      toDue: toDelivery,
    }),
    statusMails: openLog(sql, {
      channel: 'email',
      kind: 'notification',
      select: alerts({ columns: `${NEWER_STATUS} AS newer_status` }),
      toDue: (row: ClaimedAlert & { newer_status: string | null }) => ({
        ...toAlert(row),
        newerStatus: row.newer_status ?? undefined,
      }),
    }),
    statusPushes: openLog(sql, {
      channel: 'push',
      kind: 'notification',
      select: alerts({ columns: `${DEVICE_COLUMNS}, ${NEWER_MESSAGE} AS newer`, join: DEVICE }),
      toDue: (row: ClaimedAlert & DeviceRow & { newer: DuePush['newer'] }) => ({
        ...toAlert(row),
        device: toPushedDevice(row),
        newer: row.newer,
      }),
    }),
    digestMails: {
      ...openLog(sql, { channel: 'email', kind: 'digest', select: digests(), toDue: toDigest }),
      ...changes,
    },
    digestPushes: {
      ...openLog(sql, {
        channel: 'push',
        kind: 'digest',
        select: digests({ columns: `, ${DEVICE_COLUMNS}`, join: DEVICE }),
        toDue: (row: ClaimedDigest & DeviceRow) => ({ ...toDigest(row), device: toPushedDevice(row) }),
      }),
      ...changes,
    },
  };
}

const PROGRESS = 'claimed.id, claimed.queued_at, attempts, claimed.last_error';

const DEVICE = 'JOIN push_devices AS device ON device.id = device_id';
const DEVICE_COLUMNS =
  'device_id, session_id, endpoint, p256dh, auth, public_key, show_receipt_numbers, language';

const alerts = ({ columns, join = '' }: { columns: string; join?: string }) => `
  SELECT ${PROGRESS}, notification_id, n.user_id, ${SUBJECT_COLUMNS}, created_at, settings, ${columns}
  FROM claimed JOIN notifications AS n ON n.id = notification_id ${join}
    LEFT JOIN preferences ON preferences.user_id = n.user_id
  ORDER BY claimed.queued_at, change_order, seq`;

const IS_NEWER = `
  newer.user_id = n.user_id AND newer.receipt_number = n.receipt_number AND newer.new_status IS NOT NULL
    AND (newer.change_order, newer.seq) > (n.change_order, n.seq)`;

const NEWER_STATUS = `(
  SELECT newer.new_status FROM notifications AS newer WHERE ${IS_NEWER}
  ORDER BY newer.change_order DESC, newer.seq DESC LIMIT 1)`;

/** Of newer messages one that was sent counts, also in a digest: its state comes last. */
const NEWER_MESSAGE = `
  CASE WHEN EXISTS (
    SELECT FROM deliveries AS digest JOIN notifications AS newer ON newer.id = ANY (digest.changes)
    WHERE digest.device_id = claimed.device_id AND digest.kind = 'digest' AND digest.state = 'sent' AND ${IS_NEWER}) THEN 'sent'
  ELSE (
    SELECT max(other.state) FROM notifications AS newer JOIN deliveries AS other ON other.notification_id = newer.id
    WHERE ${IS_NEWER} AND other.device_id = claimed.device_id
      AND (other.state = 'sent'
        OR other.state = 'queued' AND other.next_attempt_at <= $2 AND other.queued_at <= $1)) END`;

interface ClaimedAlert extends ClaimedRow, SubjectRow, SettingsRow {
  notification_id: string;
  user_id: string;
  created_at: Date;
}

const toAlert = (row: ClaimedAlert) => ({
  ...toDelivery(row),
  notificationId: row.notification_id,
  userId: row.user_id,
  subject: toSubject(row),
  createdAt: row.created_at,
  settings: toSettings(row),
  // A message that waits counts as queued for the end of its wait.
  restorableUntilMs: row.last_error === 'removed' ? row.queued_at.getTime() : undefined,
});

/** The columns of a device that a message needs. */
interface DeviceRow {
  device_id: string;
  user_id: string;
  session_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  public_key: string;
  show_receipt_numbers: boolean;
  language: string;
}

const toPushedDevice = (row: DeviceRow): PushedDevice => ({
  id: row.device_id,
  userId: row.user_id,
  sessionId: row.session_id,
  endpoint: row.endpoint,
  p256dh: row.p256dh,
  auth: row.auth,
  publicKey: row.public_key,
  showReceiptNumbers: row.show_receipt_numbers,
  language: preferredLanguage([row.language]),
});

const digests = ({ columns = '', join = '' } = {}) => `
  SELECT ${PROGRESS}, claimed.user_id, digest_kind, period::text, settings ${columns}
  FROM claimed ${join} LEFT JOIN preferences ON preferences.user_id = claimed.user_id
  ORDER BY claimed.queued_at`;

interface ClaimedDigest extends ClaimedRow, SettingsRow {
  user_id: string;
  digest_kind: string;
  period: string;
}

const toDigest = (row: ClaimedDigest): DueDigest => ({
  ...toDelivery(row),
  userId: row.user_id,
  kind: digestKindOf(row.digest_kind),
  period: row.period,
  settings: toSettings(row),
});
