import type { UserRows } from '../domain/store.ts';

/** A request to the provider that was not answered has had its effect by then. */
const IN_FLIGHT = '10 minutes';

export const userRows: UserRows = {
  async record(tx, { userId, email, name }) {
    await tx.query(
      `INSERT INTO customers (user_id, email, name) VALUES ($1::uuid, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, name = excluded.name
       WHERE customers.deleted_at IS NULL AND customers.user_version = 0`,
      [userId, email, name],
    );
  },
  async recordChanged(tx, { userId, name, emailChanged, version }, nowMs) {
    await tx.query(
      `UPDATE customers SET name = CASE WHEN user_version < $5 THEN $2 ELSE name END, user_version = greatest(user_version, $5),
         contact_changed = true, wakes = wakes + 1,
         due_at = CASE WHEN stripe_customer_id IS NULL THEN due_at ELSE least(due_at, $3::timestamptz) END
       WHERE user_id = $1::uuid AND deleted_at IS NULL AND ($4::boolean OR user_version < $5 AND name IS DISTINCT FROM $2)`,
      [userId, name, new Date(nowMs), emailChanged, version],
    );
  },
  async erase(tx, userId, nowMs) {
    await tx.query(
      `INSERT INTO customers (user_id, deleted_at, due_at, urgent) VALUES ($1::uuid, $2::timestamptz, $2::timestamptz, true)
       ON CONFLICT (user_id) DO UPDATE SET
         email = NULL, name = NULL, refused_subscription_id = NULL, trial_refused = false, deleted_at = coalesce(customers.deleted_at, excluded.deleted_at),
         due_at = greatest(excluded.due_at, customers.customer_asked_at + interval '${IN_FLIGHT}'), urgent = true,
         version = customers.version + 1, wakes = customers.wakes + 1`,
      [userId, new Date(nowMs)],
    );
    await tx.query('DELETE FROM subscriptions WHERE user_id = $1::uuid', [userId]);
    await tx.query(
      'UPDATE trial_claims SET user_id = NULL, stripe_subscription_id = NULL WHERE user_id = $1::uuid',
      [userId],
    );
  },
};
