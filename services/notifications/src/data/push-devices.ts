import { preferredLanguage } from '@casewatch/contracts/languages';
import { pushDeviceId } from '@casewatch/contracts/push-device-id';
import type { PushDevice } from '@casewatch/contracts/push-devices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { PushDevices, TestedDevice } from '../domain/push-devices.ts';
import { queueAwaitedPushes, removeDevice } from './awaited-pushes.ts';

interface Row {
  id: string;
  name: string;
  show_receipt_numbers: boolean;
  language: string;
  added_at: Date;
  last_success_at: Date | null;
  last_failure_at: Date | null;
}

/** Locks the user's row, so that devices are counted one save after the other and none is added to a deleted user. */
const LOCK_USER = `
  INSERT INTO recipients (user_id, last_seq) VALUES ($1, 0)
  ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq WHERE recipients.deleted_at IS NULL
  RETURNING user_id`;

/** Also of the user who has the device, in the order of ids, as notifications are recorded. */
const LOCK_OWNERS = `
  SELECT user_id FROM recipients
  WHERE user_id = $1 OR user_id = (SELECT user_id FROM push_devices WHERE id = $2) ORDER BY user_id FOR UPDATE`;

const LOCK_OWNER = `
  SELECT user_id FROM recipients WHERE user_id = (SELECT user_id FROM push_devices WHERE id = $1) FOR UPDATE`;

const SAVE = `
  INSERT INTO push_devices
    (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id, language)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, 'en'))
  ON CONFLICT (id) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, public_key = excluded.public_key,
    name = excluded.name, session_id = excluded.session_id,
    language = coalesce($10, push_devices.language)
  RETURNING *`;

/** Returns no row where the last test was too recent. */
const BEGIN_TEST = `
  UPDATE push_devices SET tested_at = $3
  WHERE id = $1 AND user_id = $2 AND (tested_at IS NULL OR tested_at <= $4)
  RETURNING id, user_id AS "userId", session_id AS "sessionId", endpoint, p256dh, auth, public_key AS "publicKey", language`;

/** Creates the devices of users, in the table `push_devices`. */
export function createPushDevices(pool: Pool): PushDevices {
  const change = async (sql: string, values: unknown[]) => (await pool.query(sql, values)).rowCount ?? 0;
  return {
    async list(userId) {
      const { rows } = await pool.query<Row>(
        'SELECT * FROM push_devices WHERE user_id = $1 ORDER BY added_at, id',
        [userId],
      );
      return rows.map(toDevice);
    },
    async save(userId, { endpoint, p256dh, auth, publicKey, name, sessionId, language }, { nowMs, max }) {
      const id = await pushDeviceId(endpoint);
      return inTransaction(pool, async (tx) => {
        await tx.query(LOCK_OWNERS, [userId, id]);
        if ((await tx.query(LOCK_USER, [userId])).length === 0) return 'gone';
        const [foreign] = await tx.query('SELECT 1 FROM push_devices WHERE id = $1 AND user_id <> $2', [
          id,
          userId,
        ]);
        if (foreign) await removeDevice(tx, id, nowMs);
        const others = await tx.query('SELECT 1 FROM push_devices WHERE user_id = $1 AND id <> $2', [
          userId,
          id,
        ]);
        if (others.length >= max) return 'full';
        const at = new Date(nowMs);
        const values = [id, userId, endpoint, p256dh, auth, publicKey, name, at, sessionId, language];
        const [row] = await tx.query<Row>(SAVE, values);
        if (!row) throw new Error('the device was not stored');
        await queueAwaitedPushes(tx, { userId, deviceId: id }, nowMs);
        return toDevice(row);
      });
    },
    async change(userId, id, showReceiptNumbers) {
      const { rows } = await pool.query<Row>(
        'UPDATE push_devices SET show_receipt_numbers = $3 WHERE id = $1 AND user_id = $2 RETURNING *',
        [id, userId, showReceiptNumbers],
      );
      return rows[0] && toDevice(rows[0]);
    },
    remove: (userId, id, nowMs) =>
      inTransaction(pool, async (tx) => {
        await tx.query(LOCK_OWNER, [id]);
        const [own] = await tx.query('SELECT 1 FROM push_devices WHERE id = $1 AND user_id = $2', [
          id,
          userId,
        ]);
        if (own) await removeDevice(tx, id, nowMs);
        return own !== undefined;
      }),
    async beginTest(userId, id, { nowMs, pauseMs }) {
      const values = [id, userId, new Date(nowMs), new Date(nowMs - pauseMs)];
      const { rows } = await pool.query<Omit<TestedDevice, 'language'> & { language: string }>(
        BEGIN_TEST,
        values,
      );
      if (rows[0]) return { ...rows[0], language: preferredLanguage([rows[0].language]) };
      const known = await change('SELECT 1 FROM push_devices WHERE id = $1 AND user_id = $2', [id, userId]);
      return known > 0 ? 'early' : undefined;
    },
    async noteSuccess(id, nowMs) {
      const sql =
        'UPDATE push_devices SET last_success_at = $2, last_failure_at = NULL, last_error = NULL WHERE id = $1';
      await change(sql, [id, new Date(nowMs)]);
    },
    async noteFailure(id, reason, nowMs) {
      const sql = 'UPDATE push_devices SET last_failure_at = $2, last_error = $3 WHERE id = $1';
      await change(sql, [id, new Date(nowMs), reason]);
    },
    forget: ({ id, sessionId }, nowMs) =>
      inTransaction(pool, async (tx) => {
        await tx.query(LOCK_OWNER, [id]);
        const [own] = await tx.query('SELECT 1 FROM push_devices WHERE id = $1 AND session_id = $2', [
          id,
          sessionId,
        ]);
        if (!own) return false;
        await removeDevice(tx, id, nowMs);
        return true;
      }),
  };
}

/** Removes the devices of these sessions of the user. */
export async function removeDevicesOfSessions(
  tx: SqlExecutor,
  userId: string,
  sessionIds: readonly string[],
  nowMs: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx.query('SELECT user_id FROM recipients WHERE user_id = $1 FOR UPDATE', [userId]);
  const devices = await tx.query<{ id: string }>(
    'SELECT id FROM push_devices WHERE user_id = $1 AND session_id = ANY ($2::uuid[])',
    [userId, sessionIds],
  );
  for (const { id } of devices) await removeDevice(tx, id, nowMs);
}

function toDevice(row: Row): PushDevice {
  return {
    id: row.id,
    name: row.name,
    addedAt: row.added_at.toISOString(),
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    lastFailureAt: row.last_failure_at?.toISOString() ?? null,
    showReceiptNumbers: row.show_receipt_numbers,
    language: preferredLanguage([row.language]),
  };
}
