import type { Pool } from 'pg';
import type { ProviderEvents } from '../domain/store.ts';
import { Prisma, type PrismaClient } from '../generated/client.ts';

/**
 * Stores events of the provider. An event that names its customer is done once the customer's account is due; the others
 * wait until their customer has been looked up.
 */
export function createProviderEvents(prisma: PrismaClient): ProviderEvents {
  return {
    async saveEvent({ id, type, customerId, paymentIntentId }, nowMs) {
      const now = new Date(nowMs);
      const needsLookup = customerId === undefined && paymentIntentId !== undefined;
      // One statement, so that no connection is held between two.
      const rows = await prisma.$queryRaw<unknown[]>`
        WITH saved AS (
          INSERT INTO provider_events (id, type, payment_intent_id, received_at, due_at, done_at)
          VALUES (${id}, ${type}, ${needsLookup ? paymentIntentId : null}, ${now}::timestamptz, ${now}::timestamptz,
                  ${needsLookup ? null : now}::timestamptz)
          ON CONFLICT (id) DO NOTHING
          RETURNING id
        ), due AS (
          UPDATE customers SET ${dueAt(now)}
          WHERE stripe_customer_id = ${customerId ?? null} AND EXISTS (SELECT FROM saved)
        )
        SELECT id FROM saved`;
      return rows.length > 0;
    },

    async makeCustomerDue(customerId, nowMs) {
      await prisma.$executeRaw`
        UPDATE customers SET ${dueAt(new Date(nowMs))} WHERE stripe_customer_id = ${customerId}`;
    },

    async claimEvents({ nowMs, leaseMs, limit }) {
      return prisma.$queryRaw<{ id: string; paymentIntentId: string; failures: number }[]>`
        WITH mine AS MATERIALIZED (
          SELECT id FROM provider_events WHERE done_at IS NULL AND due_at <= ${new Date(nowMs)}::timestamptz
          ORDER BY due_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
        )
        UPDATE provider_events SET due_at = ${new Date(nowMs + leaseMs)}::timestamptz
        WHERE id = ANY (ARRAY(SELECT id FROM mine))
        RETURNING id, payment_intent_id AS "paymentIntentId", failures`;
    },

    async finishEvent(id, nowMs) {
      await prisma.providerEvent.updateMany({ where: { id }, data: { doneAt: new Date(nowMs) } });
    },

    async postponeEvent(id, untilMs) {
      const data = { dueAt: new Date(untilMs), failures: { increment: 1 } };
      await prisma.providerEvent.updateMany({ where: { id }, data });
    },

    removeEventsDoneBefore: (beforeMs, limit) =>
      prisma.$executeRaw`
        DELETE FROM provider_events WHERE id IN (
          SELECT id FROM provider_events WHERE done_at < ${new Date(beforeMs)}::timestamptz LIMIT ${limit}::int)`,
  };
}

const dueAt = (now: Date) =>
  Prisma.sql`due_at = least(due_at, ${now}::timestamptz), urgent = true, wakes = wakes + 1`;

/**
 * How long, in seconds, the oldest event whose customer is unknown, or the oldest due account, has waited. A failed
 * reconcile is retried with a backoff from 2 s to 10 minutes; the delays so far are added, of the thousand that failed most
 * often. Each is read from the head of an index. 0 when nothing waits.
 */
export const SYNC_AGE = `
  SELECT greatest(0,
    (SELECT extract(epoch FROM $1::timestamptz - min(received_at)) FROM provider_events WHERE done_at IS NULL),
    (SELECT extract(epoch FROM $1::timestamptz - min(due_at)) FROM customers WHERE due_at <= $1::timestamptz),
    (SELECT max(extract(epoch FROM $1::timestamptz - due_at)
        + 2 * (2 ^ least(failures, 9) - 1) + 600 * greatest(0, failures - 9))
      FROM (SELECT due_at, failures FROM customers WHERE due_at IS NOT NULL AND failures > 0
        ORDER BY failures DESC, due_at LIMIT 1000) AS failed))::float AS age`;

export async function readSyncAgeSeconds(pool: Pool, nowMs: number): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(SYNC_AGE, [new Date(nowMs)]);
  return rows[0]?.age ?? 0;
}
