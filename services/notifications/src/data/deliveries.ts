import { preferredLanguage } from '@casewatch/contracts/languages';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import type { DeliveryClaim, DeliveryLog, DueDelivery, DueMail } from '../domain/delivery-log.ts';
import type { DuePush, PushedDevice } from '../domain/status-pushes.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';
import { type SubjectRow, toSubject } from './subject-row.ts';

export interface ClaimedRow {
  id: string;
  queued_at: Date;
  attempts: number;
  /** Why it was not sent when it was last looked at. */
  last_error: string | null;
}

interface ClaimedNotice extends ClaimedRow, SubjectRow, SettingsRow {
  user_id: string;
  created_at: Date;
  newer_status: string | null;
}

/** Creates the log of the e-mails of notifications, in the table `deliveries`; every method is one statement, a transaction of its own. */
export function createDeliveryLog(sql: SqlExecutor): DeliveryLog {
  return openLog(sql, { table: 'deliveries', key: 'notification_id', claim: CLAIM_NOTICES, toDue: toMail });
}

/** Creates the log of the e-mails about accounts, in the table `account_deliveries`. */
export function createAccountDeliveryLog(sql: SqlExecutor): DeliveryLog<DueDelivery> {
  const claim = claiming('account_deliveries', 'id', 'SELECT * FROM claimed ORDER BY queued_at');
  return openLog(sql, { table: 'account_deliveries', key: 'id', claim, toDue: toDelivery });
}

/** Creates the log of the push messages of notifications, in the table `push_deliveries`. */
export function createPushLog(sql: SqlExecutor): DeliveryLog<DuePush> {
  return openLog(sql, { table: 'push_deliveries', key: 'id', claim: CLAIM_PUSHES, toDue: toPush });
}

interface LogOf<Row extends ClaimedRow, Due extends DueDelivery> {
  table: string;
  key: string;
  claim: string;
  toDue: (row: Row) => Due;
}

/** Opens a delivery log in a table with the columns of `deliveries`. */
export function openLog<Row extends ClaimedRow, Due extends DueDelivery>(
  sql: SqlExecutor,
  { table, key, claim: claimDue, toDue }: LogOf<Row, Due>,
): DeliveryLog<Due> {
  /** $1 which messages, $2 the end of the lease, which no other claim on the same row has. */
  const settling = (set: string) => `
    UPDATE ${table} SET ${set}
    WHERE ${key} = ANY ($1::uuid[]) AND state = 'queued' AND next_attempt_at = $2::timestamptz`;
  const markSent = settling(`state = 'sent', sent_at = $3, next_attempt_at = NULL, last_error = NULL`);
  const close = settling('state = $3, last_error = $4, next_attempt_at = NULL');
  /** What was sent before the end of its wait is tried for no longer than other messages. */
  const defer = settling('next_attempt_at = $3, last_error = $4, queued_at = least(queued_at, $3)');
  const postpone = settling('next_attempt_at = $3, queued_at = $4, last_error = $5, attempts = attempts - 1');
  /** As if they had not been claimed. */
  const release = settling('next_attempt_at = $3, attempts = attempts - 1');
  const settle = async (
    statement: string,
    claim: DeliveryClaim,
    ids: readonly string[],
    values: unknown[],
  ) => {
    if (ids.length > 0) await sql.query(statement, [ids, new Date(claim.leaseUntilMs), ...values]);
  };
  return {
    async claim({ nowMs, leaseMs, limit }) {
      const leaseUntilMs = nowMs + leaseMs;
      const rows = await sql.query<Row>(claimDue, [new Date(nowMs), new Date(leaseUntilMs), limit]);
      return { leaseUntilMs, due: rows.map(toDue) };
    },
    markSent: (claim, id, nowMs) => settle(markSent, claim, [id], [new Date(nowMs)]),
    giveUp: (claim, ids, reason) => settle(close, claim, ids, ['failed', reason]),
    skip: (claim, ids, reason) => settle(close, claim, ids, ['skipped', reason]),
    defer: (claim, id, { nextMs, reason }) => settle(defer, claim, [id], [new Date(nextMs), reason]),
    postpone: (claim, ids, { untilMs, nextMs, reason = null }) =>
      settle(postpone, claim, ids, [new Date(nextMs), new Date(untilMs), reason]),
    release: (claim, ids, nowMs) => settle(release, claim, ids, [new Date(nowMs)]),
  };
}

/**
 * $1 now, $2 the end of the lease, $3 how many. Moving `next_attempt_at` forward is the claim; a concurrent claim skips
 * the locked rows. The array keeps the planner from reading the whole table for the update.
 */
export function claiming(table: string, key: string, select: string): string {
  return `
  WITH mine AS MATERIALIZED (
    SELECT ${key} AS id FROM ${table}
    WHERE state = 'queued' AND next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT $3::int
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE ${table} SET next_attempt_at = $2::timestamptz, attempts = attempts + 1
    WHERE ${key} = ANY (ARRAY(SELECT id FROM mine))
    RETURNING ${key} AS id, queued_at, attempts, last_error
  )
  ${select}`;
}

const CLAIM_NOTICES = claiming(
  'deliveries',
  'notification_id',
  `SELECT claimed.*, user_id, receipt_number, old_status, new_status, milestone, reason, effective_at, created_at,
     settings,
     (SELECT newer.new_status FROM notifications AS newer
       WHERE newer.user_id = n.user_id AND newer.receipt_number = n.receipt_number
         AND (newer.change_order, newer.seq) > (n.change_order, n.seq)
       ORDER BY newer.change_order DESC, newer.seq DESC LIMIT 1) AS newer_status
   FROM claimed JOIN notifications AS n USING (id) LEFT JOIN preferences USING (user_id)
   ORDER BY queued_at, change_order, seq`,
);

const IS_NEWER = `
  newer.user_id = n.user_id AND newer.receipt_number = n.receipt_number AND (newer.change_order, newer.seq) > (n.change_order, n.seq)`;

/** Of newer messages one that was sent counts, also in a digest: its state comes last. */
const CLAIM_PUSHES = claiming(
  'push_deliveries',
  'id',
  `SELECT claimed.*, notification_id, n.user_id, receipt_number, old_status, new_status, milestone, reason, effective_at,
     created_at, device_id, session_id, endpoint, p256dh, auth, public_key, show_receipt_numbers, language, settings,
     CASE WHEN EXISTS (
       SELECT FROM push_digests AS digest JOIN notifications AS newer ON newer.id = ANY (digest.changes)
       WHERE digest.device_id = push_deliveries.device_id AND digest.state = 'sent' AND ${IS_NEWER}) THEN 'sent'
     ELSE (
       SELECT max(other.state) FROM notifications AS newer JOIN push_deliveries AS other ON other.notification_id = newer.id
       WHERE ${IS_NEWER} AND other.device_id = push_deliveries.device_id
         AND (other.state = 'sent'
           OR other.state = 'queued' AND other.next_attempt_at <= $2 AND other.queued_at <= $1)) END AS newer
   FROM claimed JOIN push_deliveries USING (id) JOIN notifications AS n ON n.id = notification_id
     JOIN push_devices AS d ON d.id = device_id
     LEFT JOIN preferences ON preferences.user_id = n.user_id
   ORDER BY claimed.queued_at, change_order, seq`,
);

/** The columns of a device that a message needs. */
export interface DeviceRow {
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

interface ClaimedPush extends ClaimedRow, SubjectRow, SettingsRow, DeviceRow {
  notification_id: string;
  created_at: Date;
  newer: DuePush['newer'];
}

function toPush(row: ClaimedPush): DuePush {
  return {
    ...toDelivery(row),
    notificationId: row.notification_id,
    userId: row.user_id,
    subject: toSubject(row),
    createdAt: row.created_at,
    device: toPushedDevice(row),
    settings: toSettings(row),
    newer: row.newer,
    restorableUntilMs: restorableUntilMs(row),
  };
}

export function toPushedDevice(row: DeviceRow): PushedDevice {
  return {
    id: row.device_id,
    userId: row.user_id,
    sessionId: row.session_id,
    endpoint: row.endpoint,
    p256dh: row.p256dh,
    auth: row.auth,
    publicKey: row.public_key,
    showReceiptNumbers: row.show_receipt_numbers,
    language: preferredLanguage([row.language]),
  };
}

function toMail(row: ClaimedNotice): DueMail {
  return {
    ...toDelivery(row),
    userId: row.user_id,
    subject: toSubject(row),
    createdAt: row.created_at,
    settings: toSettings(row),
    restorableUntilMs: restorableUntilMs(row),
    newerStatus: row.newer_status ?? undefined,
  };
}

/** A message that waits counts as queued for the end of its wait. */
const restorableUntilMs = ({ last_error, queued_at }: ClaimedRow) =>
  last_error === 'removed' ? queued_at.getTime() : undefined;

export function toDelivery({ id, queued_at, attempts }: ClaimedRow): DueDelivery {
  return { id, queuedAtMs: queued_at.getTime(), attempts };
}

export interface DeliveryLevels {
  /** Messages that are due and wait, counted to 10,000; not those that wait for the end of quiet hours. */
  readonly queued: number;
  /** How long the oldest of them has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

const waitingIn = (table: string) =>
  `(SELECT queued_at FROM ${table} WHERE state = 'queued' AND queued_at <= $1 ORDER BY queued_at LIMIT 10000)`;
const levelsOf = (...tables: string[]) => `
  WITH waiting AS (${tables.map(waitingIn).join(' UNION ALL ')})
  SELECT least(count(*), 10000)::int AS queued, min(queued_at) AS oldest FROM waiting`;
export const MAIL_LEVELS = levelsOf('deliveries', 'account_deliveries', 'digests');
export const PUSH_LEVELS = levelsOf('push_deliveries', 'push_digests');

export const readMailLevels = (pool: Pool, clock: Clock) => readLevels(pool, clock, MAIL_LEVELS);
export const readPushLevels = (pool: Pool, clock: Clock) => readLevels(pool, clock, PUSH_LEVELS);

async function readLevels(pool: Pool, clock: Clock, sql: string): Promise<DeliveryLevels> {
  const { rows } = await pool.query<{ queued: number; oldest: Date | null }>(sql, [new Date(clock.nowMs())]);
  const [{ queued, oldest } = { queued: 0, oldest: null }] = rows;
  const waitedMs = oldest === null ? 0 : clock.nowMs() - oldest.getTime();
  return { queued, oldestSeconds: Math.max(0, waitedMs) / 1_000 };
}
