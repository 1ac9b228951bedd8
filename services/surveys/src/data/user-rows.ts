import type { UserRows } from '../domain/store.ts';

export const userRows: UserRows = {
  async countLogin(tx, userId, loginCount) {
    await tx.query(
      `INSERT INTO people (user_id, login_count) VALUES ($1::uuid, $2)
       ON CONFLICT (user_id) DO UPDATE SET login_count = excluded.login_count
       WHERE people.login_count < excluded.login_count AND people.deleted_at IS NULL`,
      [userId, loginCount],
    );
  },
  async erase(tx, userId, nowMs) {
    // The tombstone comes first: it waits for transactions that are storing an answer of the person, and later ones wait for it.
    await tx.query(
      `INSERT INTO people (user_id, login_count, deleted_at) VALUES ($1::uuid, 0, $2)
       ON CONFLICT (user_id) DO UPDATE
       SET login_count = 0, deleted_at = coalesce(people.deleted_at, excluded.deleted_at)`,
      [userId, new Date(nowMs)],
    );
    await tx.query('DELETE FROM responses WHERE user_id = $1::uuid', [userId]);
    await tx.query('DELETE FROM trackings WHERE user_id = $1::uuid', [userId]);
  },
};
