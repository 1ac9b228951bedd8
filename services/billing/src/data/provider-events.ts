import type { Store } from '../domain/store.ts';
import type { Prisma, PrismaClient } from '../generated/client.ts';

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
    keepEvent: ({ id, type, customerId, paymentIntentId }, nowMs) =>
      prisma.$transaction(async (tx) => {
        const now = new Date(nowMs);
        const asks = customerId === undefined && paymentIntentId !== undefined;
        const { count } = await tx.providerEvent.createMany({
          data: [
            {
              id,
              type,
              paymentIntentId: asks ? paymentIntentId : null,
              receivedAt: now,
              dueAt: now,
              doneAt: asks ? null : now,
            },
          ],
          skipDuplicates: true,
        });
        if (count === 0) return false;
        if (customerId !== undefined) await wake(tx, customerId, now);
        return true;
      }),

    wakeCustomer: (customerId, nowMs) => wake(prisma, customerId, new Date(nowMs)),

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

async function wake(db: Prisma.TransactionClient, customerId: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE customers SET due_at = least(due_at, ${now}::timestamptz), urgent = true, wakes = wakes + 1
    WHERE stripe_customer_id = ${customerId}`;
}
