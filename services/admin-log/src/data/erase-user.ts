import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { lockUser } from './user-locks.ts';

/** Takes id and name of the user out of every call, and leaves a tombstone for events that come late. */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(
    'INSERT INTO deleted_users (user_id, deleted_at) VALUES ($1::uuid, $2::timestamptz) ON CONFLICT DO NOTHING',
    [userId, new Date(nowMs)],
  );
  await tx.query(
    'UPDATE calls SET user_id = NULL, user_first_name = NULL, name_key = NULL WHERE user_id = $1::uuid',
    [userId],
  );
}
