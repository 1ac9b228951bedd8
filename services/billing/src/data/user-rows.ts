import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/** Notes who signed up, unless they are gone again or known. */
export async function noteUser(
  tx: SqlExecutor,
  { userId, email, name }: { userId: string; email: string; name: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO customers (user_id, email, name) VALUES ($1::uuid, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, name = excluded.name
     WHERE customers.deleted_at IS NULL`,
    [userId, email, name],
  );
}

/**
 * Erases what is kept of the user and leaves the tombstone; with it the customer's id, until the provider has been
 * told, which is due at once. The new version keeps whoever works for the user now from writing anything back.
 */
export async function eraseUser(tx: SqlExecutor, userId: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO customers (user_id, deleted_at, due_at, urgent) VALUES ($1::uuid, $2::timestamptz, $2::timestamptz, true)
     ON CONFLICT (user_id) DO UPDATE SET
       email = NULL, name = NULL, deleted_at = coalesce(customers.deleted_at, excluded.deleted_at),
       due_at = excluded.due_at, urgent = true, version = customers.version + 1, wakes = customers.wakes + 1`,
    [userId, new Date(nowMs)],
  );
  await tx.query('DELETE FROM subscriptions WHERE user_id = $1::uuid', [userId]);
}
