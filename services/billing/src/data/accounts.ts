import { planMilestoneReached, subscriptionChanged } from '@casewatch/contracts/events';
import { PRICE_INTERVALS } from '@casewatch/contracts/limits';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import { publishedText } from '../domain/changes-to-publish.ts';
import type { Account, Accounts, Reconciled } from '../domain/store.ts';
import type { Prisma, PrismaClient } from '../generated/client.ts';
import { oneOf, toAccount, toSubscriptionRow } from './account-row.ts';

/** How long a transaction may wait for a connection before the request fails. */
const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 10_000;

/** Stores customers, subscriptions and prices; events go into the outbox in the transaction that causes them. */
export function createAccounts(prisma: PrismaClient, bus: EventBus): Accounts {
  const withSubscription = { include: { subscription: true } } as const;

  return {
    async find(userId) {
      const row = await prisma.customer.findUnique({ where: { userId }, ...withSubscription });
      return row ? toAccount(row) : undefined;
    },

    async findOrCreate(userId) {
      await prisma.customer.createMany({ data: [{ userId }], skipDuplicates: true });
      return toAccount(await prisma.customer.findUniqueOrThrow({ where: { userId }, ...withSubscription }));
    },

    async askForCustomer(userId, nowMs) {
      const data = { customerAskedAt: new Date(nowMs) };
      const { count } = await prisma.customer.updateMany({ where: { userId, deletedAt: null }, data });
      return count > 0;
    },

    /** Also for a user deleted in the meantime: closing the customer needs its id. */
    async saveCustomer(userId, customerId, nowMs) {
      const now = new Date(nowMs);
      await prisma.$executeRaw`
        UPDATE customers SET stripe_customer_id = ${customerId}, customer_asked_at = NULL,
          due_at = CASE WHEN deleted_at IS NULL THEN due_at ELSE ${now}::timestamptz END,
          urgent = urgent OR deleted_at IS NOT NULL
        WHERE user_id = ${userId}::uuid`;
    },

    async saveContact({ userId, wakes }, email) {
      await prisma.customer.updateMany({
        where: { userId, wakes, deletedAt: null },
        data: { email, contactChanged: false },
      });
    },

    async countAttempt(userId) {
      await prisma.customer.update({ where: { userId }, data: { attempt: { increment: 1 } } });
    },

    saveReconciled: (account, reconciled) =>
      prisma.$transaction((tx) => saveReconciled(tx, bus, account, reconciled), {
        maxWait: MAX_WAIT_MS,
        timeout: TIMEOUT_MS,
      }),

    async refuseTrial(userId, subscriptionId) {
      const data = { trialRefused: true, attempt: { increment: 1 } };
      const refused = subscriptionId === null ? {} : { refusedSubscriptionId: subscriptionId };
      await prisma.customer.updateMany({ where: { userId, deletedAt: null }, data: { ...data, ...refused } });
    },

    async postponeReconcile(userId, untilMs) {
      const data = { dueAt: new Date(untilMs), failures: { increment: 1 } };
      await prisma.customer.updateMany({ where: { userId }, data });
    },

    async close(userId) {
      await prisma.customer.updateMany({
        where: { userId, deletedAt: { not: null } },
        data: { stripeCustomerId: null, customerAskedAt: null, dueAt: null, urgent: false, failures: 0 },
      });
    },

    async claimDue({ nowMs, leaseMs, limit, urgent }) {
      const now = new Date(nowMs);
      const until = new Date(nowMs + leaseMs);
      const sql = urgent ? CLAIM_URGENT : CLAIM_ROUTINE;
      const rows = await prisma.$queryRawUnsafe<{ user_id: string }[]>(sql, now, until, limit);
      return rows.map((row) => row.user_id);
    },

    async prices() {
      const rows = await prisma.price.findMany({ orderBy: { place: 'asc' } });
      return rows.map(({ id, cents, interval, name }) => ({
        id,
        cents,
        interval: oneOf(PRICE_INTERVALS, interval),
        name,
      }));
    },

    async savePrices(prices, nowMs) {
      const fetchedAt = new Date(nowMs);
      const data = prices.map((price, place) => ({ ...price, place, fetchedAt }));
      await prisma.$transaction([
        prisma.price.deleteMany(),
        prisma.price.createMany({ data, skipDuplicates: true }),
      ]);
    },
  };
}

async function saveReconciled(
  tx: Prisma.TransactionClient,
  bus: EventBus,
  { userId, version, wakes, published }: Account,
  { entitlement, trialUsed, change, milestones, plan, nextReconcileMs }: Reconciled,
): Promise<boolean> {
  const next = nextReconcileMs === null ? null : new Date(nextReconcileMs);
  const kept = await tx.$executeRaw`
    UPDATE customers SET version = version + 1, failures = 0,
      due_at = CASE WHEN wakes = ${wakes} THEN ${next}::timestamptz ELSE due_at END,
      urgent = urgent AND wakes <> ${wakes}
    WHERE user_id = ${userId}::uuid AND version = ${version} AND deleted_at IS NULL`;
  if (kept === 0) return false;
  if (entitlement) {
    const row = toSubscriptionRow(entitlement, {
      trialUsed,
      plan,
      published: change ? publishedText(change) : published,
    });
    await tx.subscription.upsert({ where: { userId }, create: { userId, ...row }, update: row });
  }
  if (change) await bus.publish(sqlOf(tx), subscriptionChanged, { userId, ...change, version: version + 1 });
  for (const { effectiveMs, ...reached } of milestones) {
    const effectiveAt = new Date(effectiveMs).toISOString();
    await bus.publish(sqlOf(tx), planMilestoneReached, { userId, ...reached, effectiveAt });
  }
  return true;
}

/** $1 now, $2 the end of the lease, $3 how many. Concurrent claims skip the locked rows. */
const claiming = (which: string) => `
  WITH mine AS MATERIALIZED (
    SELECT user_id FROM customers WHERE ${which} AND due_at <= $1::timestamptz
    ORDER BY due_at LIMIT $3::int FOR UPDATE SKIP LOCKED
  )
  UPDATE customers SET due_at = $2::timestamptz WHERE user_id = ANY (ARRAY(SELECT user_id FROM mine))
  RETURNING user_id::text`;

export const CLAIM_URGENT = claiming('urgent');
export const CLAIM_ROUTINE = claiming('due_at IS NOT NULL');
