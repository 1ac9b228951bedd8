import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { userSessionsEnded } from '@casewatch/contracts/events';
import { preferredLanguage } from '@casewatch/contracts/languages';
import { pushDeviceId } from '@casewatch/contracts/push-device-id';
import type { PushDevice } from '@casewatch/contracts/push-devices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import type { PushDevices, TestedDevice } from '../domain/push-devices.ts';

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

const SAVE = `
  INSERT INTO push_devices
    (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, saved_at, session_id, language)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, coalesce($10, 'en'))
  ON CONFLICT (id) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, public_key = excluded.public_key,
    name = excluded.name, saved_at = excluded.saved_at, session_id = excluded.session_id,
    language = coalesce($10, push_devices.language)
  RETURNING *`;

/** Returns no row where the last test was too recent. */
const BEGIN_TEST = `
  UPDATE push_devices SET tested_at = $3
  WHERE id = $1 AND user_id = $2 AND (tested_at IS NULL OR tested_at <= $4)
  RETURNING id, endpoint, p256dh, auth, public_key AS "publicKey", language`;

/** The devices of users, in the table `push_devices`. */
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
        if ((await tx.query(LOCK_USER, [userId])).length === 0) return 'gone';
        await tx.query('DELETE FROM push_devices WHERE id = $1 AND user_id <> $2', [id, userId]);
        const others = await tx.query('SELECT 1 FROM push_devices WHERE user_id = $1 AND id <> $2', [
          userId,
          id,
        ]);
        if (others.length >= max) return 'full';
        const at = new Date(nowMs);
        const values = [id, userId, endpoint, p256dh, auth, publicKey, name, at, sessionId, language];
        const [row] = await tx.query<Row>(SAVE, values);
        if (!row) throw new Error('the device was not stored');
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
    remove: async (userId, id) =>
      (await change('DELETE FROM push_devices WHERE id = $1 AND user_id = $2', [id, userId])) > 0,
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
    async forget(id) {
      await change('DELETE FROM push_devices WHERE id = $1', [id]);
    },
  };
}

/**
 * Removes the devices of a session that ended; of all sessions, those that were saved before, and not in the session that goes on.
 * Pending messages to them go, too.
 */
export async function removeDevicesOfSessions(
  tx: SqlExecutor,
  { userId, sessionId, keptSessionId }: PayloadOf<typeof userSessionsEnded>,
  endedAtMs: number,
): Promise<void> {
  if (sessionId !== undefined) {
    await tx.query('DELETE FROM push_devices WHERE user_id = $1 AND session_id = $2', [userId, sessionId]);
    return;
  }
  await tx.query(
    `DELETE FROM push_devices WHERE user_id = $1 AND ($2::uuid IS NULL OR session_id IS DISTINCT FROM $2)
     AND (saved_at IS NULL OR saved_at <= $3)`,
    [userId, keptSessionId ?? null, new Date(endedAtMs)],
  );
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
