import type { Store } from '../domain/store.ts';
import { Prisma, type PrismaClient } from '../generated/client.ts';

type ProviderEvents = Pick<
  Store,
  'keepEvent' | 'wakeCustomer' | 'claimEvents' | 'finishEvent' | 'putOffEvent' | 'removeEventsDoneBefore'
>;

/**
 * Events of the provider. An event that names its customer has done all it can once the customer is due to be looked
 * at; the others wait until somebody has asked whose they are.
 */
export function createProviderEvents(prisma: PrismaClient): ProviderEvents {
  return {
    async keepEvent({ id, type, customerId, paymentIntentId }, nowMs) {
      const now = new Date(nowMs);
      const asks = customerId === undefined && paymentIntentId !== undefined;
      // One statement: no connection is held while this process is busy with something else.
      const rows = await prisma.$queryRaw<unknown[]>`
        WITH kept AS (
          INSERT INTO provider_events (id, type, payment_intent_id, received_at, due_at, done_at)
          VALUES (${id}, ${type}, ${asks ? paymentIntentId : null}, ${now}::timestamptz, ${now}::timestamptz,
                  ${asks ? null : now}::timestamptz)
          ON CONFLICT (id) DO NOTHING
          RETURNING id
        ), woken AS (
          UPDATE customers SET ${wakingAt(now)}
          WHERE stripe_customer_id = ${customerId ?? null} AND EXISTS (SELECT FROM kept)
        )
        SELECT id FROM kept`;
      return rows.length > 0;
    },

    async wakeCustomer(customerId, nowMs) {
      await prisma.$executeRaw`
        UPDATE customers SET ${wakingAt(new Date(nowMs))} WHERE stripe_customer_id = ${customerId}`;
    },

    async claimEvents({ nowMs, leaseMs, limit }) {
      const rows = await prisma.$queryRaw<{ id: string; payment_intent_id: string; failures: number }[]>`
        WITH mine AS MATERIALIZED (
          SELECT id FROM provider_events WHERE done_at IS NULL AND due_at <= ${new Date(nowMs)}::timestamptz
          ORDER BY due_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
        )
        UPDATE provider_events SET due_at = ${new Date(nowMs + leaseMs)}::timestamptz
        WHERE id = ANY (ARRAY(SELECT id FROM mine))
        RETURNING id, payment_intent_id, failures`;
      return rows.map((row) => ({
        id: row.id,
        paymentIntentId: row.payment_intent_id,
        failures: row.failures,
      }));
    },

    async finishEvent(id, nowMs) {
      await prisma.providerEvent.updateMany({ where: { id }, data: { doneAt: new Date(nowMs) } });
    },

    async putOffEvent(id, untilMs) {
      const data = { dueAt: new Date(untilMs), failures: { increment: 1 } };
      await prisma.providerEvent.updateMany({ where: { id }, data });
    },

    removeEventsDoneBefore: (beforeMs, limit) =>
      prisma.$executeRaw`
        DELETE FROM provider_events WHERE id IN (
          SELECT id FROM provider_events WHERE done_at < ${new Date(beforeMs)}::timestamptz LIMIT ${limit}::int)`,
  };
}

const wakingAt = (now: Date) =>
  Prisma.sql`due_at = least(due_at, ${now}::timestamptz), urgent = true, wakes = wakes + 1`;
