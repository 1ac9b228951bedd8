import { planMilestoneReached } from '@casewatch/contracts/events';
import type { PriceChange } from '@casewatch/contracts/translations';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';

const NOTICE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** The price that subscriptions have, and the offered one that they are to have. */
export interface PriceMove {
  readonly oldPrice: string;
  readonly newPrice: string;
}

/** Who is notified of a change, among the subscriptions that have the old price and go on. */
export interface NoticeReport {
  readonly change: PriceChange;
  /** The ids of those that are not notified yet. */
  readonly waiting: readonly string[];
  /** How many are notified of which day (`2027-01-15`). */
  readonly notified: ReadonlyMap<string, number>;
}

/** One that is canceled never has the new price. */
const GOES_ON = `price_id = $1 AND tier = 'pro' AND cancels_at IS NULL`;
/** Another subscription of the same user is notified again. */
const NOTICE = `stripe_subscription_id || ' ' || $2::text || ' '`;
const IS_NOTIFIED = `starts_with(coalesce(notified_of_price, ''), ${NOTICE})`;

/** Returns whether the change that people were notified of is done: no subscription has the old price any more. */
export async function isMoved(sql: SqlExecutor, { oldPrice, newPrice }: PriceMove): Promise<boolean> {
  const [found] = await sql.query<{ moved: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM subscriptions WHERE price_id = $1)
       AND EXISTS (SELECT FROM subscriptions WHERE split_part(notified_of_price, ' ', 2) = $2
         AND split_part(notified_of_price, ' ', 4) = $1) AS moved`,
    [oldPrice, newPrice],
  );
  return found?.moved ?? false;
}

/** Reports who is notified. @throws Error when the one price can't follow the other */
export async function reportPriceNotices(sql: SqlExecutor, move: PriceMove): Promise<NoticeReport> {
  const change = await readChange(sql, move);
  const rows = await sql.query<{ id: string; day: string | null }>(
    `SELECT stripe_subscription_id AS id, CASE WHEN ${IS_NOTIFIED} THEN split_part(notified_of_price, ' ', 3) END AS day
     FROM subscriptions WHERE ${GOES_ON} ORDER BY day, id`,
    [move.oldPrice, move.newPrice],
  );
  const notified = new Map<string, number>();
  for (const { day } of rows) if (day !== null) notified.set(day, (notified.get(day) ?? 0) + 1);
  return { change, waiting: rows.flatMap(({ id, day }) => (day === null ? id : [])), notified };
}

/**
 * Publishes `price-changing` for everyone who has the old price, goes on and is not notified yet; all in one transaction with
 * the note of it, so that each is notified once. Resolves to their number.
 * @throws Error when the day is too near, or the one price can't follow the other
 */
export async function announcePriceChange(
  pool: Pool,
  bus: EventBus,
  { day, nowMs, ...move }: PriceMove & { day: string; nowMs: number },
): Promise<number> {
  requireNotice(day, nowMs);
  return inTransaction(pool, async (tx) => {
    const priceChange = await readChange(tx, move);
    const rows = await tx.query<{ user_id: string }>(
      `UPDATE subscriptions SET notified_of_price = ${NOTICE} || $3::text || ' ' || price_id
       WHERE ${GOES_ON} AND NOT ${IS_NOTIFIED} RETURNING user_id::text`,
      [move.oldPrice, move.newPrice, day],
    );
    // Noon, so that it is this day in the time zone of nearly every reader.
    const milestone = {
      milestone: 'price-changing',
      effectiveAt: `${day}T12:00:00.000Z`,
      priceChange,
    } as const;
    const notices = rows.map(({ user_id: userId }) => ({ userId, ...milestone }));
    await bus.publishAll(tx, planMilestoneReached, notices);
    return notices.length;
  });
}

/** @throws Error when fewer days are left than people are promised */
export function requireNotice(day: string, nowMs: number): void {
  const earliest = new Date(nowMs + (NOTICE_DAYS + 1) * DAY_MS).toISOString().slice(0, 10);
  if (day < earliest)
    throw new Error(
      `${day} is too near: people are notified ${NOTICE_DAYS} days ahead, so ${earliest} or later.`,
    );
}

async function readChange(sql: SqlExecutor, { oldPrice, newPrice }: PriceMove): Promise<PriceChange> {
  const [before] = await sql.query<{ cents: number; interval: string }>(
    'SELECT price_cents AS cents, price_interval AS interval FROM subscriptions WHERE price_id = $1 LIMIT 1',
    [oldPrice],
  );
  if (!before) throw new Error(`No subscription has the price ${oldPrice}.`);
  const [after] = await sql.query<{ cents: number; interval: string }>(
    'SELECT cents, interval FROM prices WHERE id = $1 AND id <> $2',
    [newPrice, oldPrice],
  );
  if (!after)
    throw new Error(
      `${newPrice} is no other price in US dollars that Casewatch offers. Move the lookup key to it at Stripe, and open /upgrade.`,
    );
  if (after.interval !== before.interval)
    throw new Error(`${oldPrice} is paid by the ${before.interval}, ${newPrice} by the ${after.interval}.`);
  return { oldCents: before.cents, newCents: after.cents, yearly: after.interval === 'year' };
}
