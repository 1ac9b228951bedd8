import { SUBSCRIPTION_STATUSES } from '@casewatch/contracts/billing';
import { PLAN_END_REASONS, PRICE_INTERVALS, TIERS } from '@casewatch/contracts/limits';
import type { Entitlement } from '../domain/entitlement.ts';
import { NEW_PLAN, type PlanRecord } from '../domain/plan-milestones.ts';
import type { Account, StoredEntitlement } from '../domain/store.ts';
import type { CustomerModel, SubscriptionModel } from '../generated/models.ts';

export type AccountRow = CustomerModel & { subscription: SubscriptionModel | null };

export function toAccount({ subscription, ...row }: AccountRow): Account {
  const { userId, email, name, attempt, version, wakes, failures, contactChanged, trialRefused } = row;
  const counts = subscription?.stripeSubscriptionId !== row.refusedSubscriptionId;
  return {
    userId,
    email,
    name,
    customerId: row.stripeCustomerId,
    customerAskedMs: row.customerAskedAt?.getTime() ?? null,
    attempt,
    version,
    wakes,
    failures,
    contactChanged,
    deleted: row.deletedAt !== null,
    trialRefused,
    refusedSubscriptionId: row.refusedSubscriptionId,
    entitlement: subscription && counts ? toEntitlement(subscription) : undefined,
    trialUsed: subscription?.trialUsed ?? false,
    plan: subscription ? toPlanRecord(subscription) : NEW_PLAN,
    published: subscription?.announced ?? null,
  };
}

export function toSubscriptionRow(
  entitlement: Entitlement,
  { trialUsed, published, plan }: Pick<Account, 'trialUsed' | 'published' | 'plan'>,
) {
  const { subscriptionId, status, tier, price, card } = entitlement;
  return {
    stripeSubscriptionId: subscriptionId,
    status,
    tier,
    priceId: price.id,
    priceCents: price.cents,
    priceInterval: price.interval,
    priceName: price.name,
    periodEndsAt: new Date(entitlement.periodEndsMs),
    cancelsAt: dateOrNull(entitlement.cancelsMs),
    trialEndsAt: dateOrNull(entitlement.trialEndsMs),
    graceEndsAt: dateOrNull(entitlement.graceEndsMs),
    paymentFailed: entitlement.paymentFailed,
    awaitsCard: entitlement.awaitsCard,
    trialEndsPro: entitlement.trialEndsPro,
    paymentsPaused: entitlement.pause !== null,
    paymentsResumeAt: dateOrNull(entitlement.pause?.resumesMs ?? null),
    taxed: entitlement.taxed,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    trialUsed,
    announced: published,
    endedAt: dateOrNull(plan.ended?.atMs ?? null),
    endReason: plan.ended?.reason ?? null,
    remindedOfTrial: plan.remindedOfTrial,
    notifiedOfInvoice: plan.notifiedOfInvoice,
  };
}

function toPlanRecord({ endedAt, endReason, ...row }: SubscriptionModel): PlanRecord {
  return {
    ended:
      endedAt !== null && endReason !== null
        ? { atMs: endedAt.getTime(), reason: oneOf(PLAN_END_REASONS, endReason) }
        : null,
    remindedOfTrial: row.remindedOfTrial,
    notifiedOfInvoice: row.notifiedOfInvoice,
  };
}

function toEntitlement(row: SubscriptionModel): StoredEntitlement {
  const { cardBrand, cardLast4 } = row;
  return {
    subscriptionId: row.stripeSubscriptionId,
    status: oneOf(SUBSCRIPTION_STATUSES, row.status),
    tier: oneOf(TIERS, row.tier),
    price: {
      id: row.priceId,
      cents: row.priceCents,
      interval: oneOf(PRICE_INTERVALS, row.priceInterval),
      name: row.priceName,
    },
    periodEndsMs: row.periodEndsAt.getTime(),
    cancelsMs: row.cancelsAt?.getTime() ?? null,
    trialEndsMs: row.trialEndsAt?.getTime() ?? null,
    graceEndsMs: row.graceEndsAt?.getTime() ?? null,
    paymentFailed: row.paymentFailed,
    awaitsCard: row.awaitsCard,
    trialEndsPro: row.trialEndsPro,
    pause: row.paymentsPaused ? { resumesMs: row.paymentsResumeAt?.getTime() ?? null } : null,
    taxed: row.taxed,
    card: cardBrand !== null && cardLast4 !== null ? { brand: cardBrand, last4: cardLast4 } : null,
    trialUsed: row.trialUsed,
  };
}

/** Narrows a value of the database, which holds only known ones. @throws for an unknown value */
export function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`the database holds an unknown value: ${value}`);
  return found;
}

function dateOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
