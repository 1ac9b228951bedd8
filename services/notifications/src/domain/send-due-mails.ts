import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryClaim, DeliveryLog, DueDelivery } from './delivery-log.ts';
import type { Mail, Mailer, Outcome } from './mailer.ts';
import { retryDelayMs } from './retry-delay.ts';

/** What became of an e-mail, as it is counted; `retried`: it is tried again. */
export type MailResult = 'sent' | 'retried' | 'failed' | 'skipped';

/** E-mails of one kind: their delivery log, and what they say. */
export interface MailKind<Due extends DueDelivery> {
  readonly log: DeliveryLog<Due>;
  /** Writes the claimed e-mails, with what other services know of them at this moment. */
  prepare(due: readonly Due[]): Promise<Prepared<Due>>;
}

export interface Prepared<Due extends DueDelivery> {
  readonly ready: readonly { readonly due: Due; readonly mail: Mail }[];
  /** Not to be sent any more, with a word for the reason. */
  readonly dropped: readonly { readonly due: Due; readonly reason: string }[];
  /** The service without which none can be written; all others are tried again, and no attempt counts. */
  readonly unavailable?: string;
}

export interface Mailing<Due extends DueDelivery = DueDelivery> {
  readonly kind: MailKind<Due>;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: (result: MailResult, mails: number) => void;
  readonly leaseMs: number;
  readonly giveUpMs: number;
  /** E-mails that are sent side by side. */
  readonly atOnce: number;
  readonly random: () => number;
}

export interface MailPass {
  readonly claimed: number;
  /** The code of an unavailable server; undefined when mail can be sent. */
  readonly unavailable: string | undefined;
}

/** `stopping`: begin no other. `abandon`: wait for none. */
export interface Ending {
  readonly stopping: AbortSignal;
  readonly abandon: AbortSignal;
}

/**
 * One pass: claims e-mails that are due, has them written, sends them and settles each by what came of it. When the
 * process dies between the server's word and ours, the e-mail is sent again after the lease, under the same message id.
 */
export async function sendDueMails<Due extends DueDelivery>(
  mailing: Mailing<Due>,
  limit: number,
  ending: Ending,
): Promise<MailPass> {
  const { kind, clock, leaseMs } = mailing;
  const claim = await kind.log.claim({ nowMs: clock.nowMs(), leaseMs, limit });
  const claimed = claim.mails.length;
  const fresh = await giveUpExpired(mailing, claim, claim.mails);
  if (fresh.length === 0) return { claimed, unavailable: undefined };
  const { ready, dropped, unavailable } = await kind.prepare(fresh);
  await skip(mailing, claim, dropped);
  if (unavailable !== undefined) {
    const waiting = fresh.filter((mail) => !dropped.some(({ due }) => due === mail));
    await kind.log.release(claim, idsOf(waiting), clock.nowMs());
    return { claimed, unavailable };
  }
  return { claimed, unavailable: await sendAll(mailing, claim, ready, ending) };
}

async function giveUpExpired<Due extends DueDelivery>(
  { kind, clock, giveUpMs, count }: Mailing<Due>,
  claim: DeliveryClaim,
  mails: readonly Due[],
): Promise<Due[]> {
  const oldestMs = clock.nowMs() - giveUpMs;
  const [fresh, expired] = split(mails, ({ queuedAtMs }) => queuedAtMs >= oldestMs);
  if (expired.length > 0) {
    await kind.log.giveUp(claim, idsOf(expired), 'expired');
    count('failed', expired.length);
  }
  return fresh;
}

async function skip<Due extends DueDelivery>(
  { kind, count }: Mailing<Due>,
  claim: DeliveryClaim,
  dropped: Prepared<Due>['dropped'],
): Promise<void> {
  for (const [reason, group] of Map.groupBy(dropped, (one) => one.reason)) {
    await kind.log.skip(
      claim,
      group.map(({ due }) => due.id),
      reason,
    );
    count('skipped', group.length);
  }
}

/**
 * Sends concurrently until all are sent, the server is unavailable, half the lease is over or the process stops; e-mails
 * not begun are released. Resolves to the code of an unavailable server.
 */
async function sendAll<Due extends DueDelivery>(
  mailing: Mailing<Due>,
  claim: DeliveryClaim,
  ready: Prepared<Due>['ready'],
  { stopping, abandon }: Ending,
): Promise<string | undefined> {
  const { kind, mailer, clock, leaseMs, atOnce } = mailing;
  const waiting = [...ready];
  const lastStartMs = claim.leaseUntilMs - leaseMs / 2;
  let unavailable: string | undefined;

  async function work(): Promise<void> {
    while (unavailable === undefined && !stopping.aborted && clock.nowMs() < lastStartMs) {
      const next = waiting.shift();
      if (!next) return;
      const outcome = await mailer.send(next.mail, abandon);
      if (outcome.kind === 'unavailable') unavailable = outcome.reason;
      if (outcome.kind === 'unavailable' && abandon.aborted) waiting.push(next);
      else await settle(mailing, claim, next.due, outcome);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  await kind.log.release(
    claim,
    waiting.map(({ due }) => due.id),
    clock.nowMs(),
  );
  return unavailable;
}

async function settle<Due extends DueDelivery>(
  { kind, clock, count, logger, random }: Mailing<Due>,
  claim: DeliveryClaim,
  { id, attempts }: Due,
  outcome: Outcome,
): Promise<void> {
  const { log } = kind;
  const nowMs = clock.nowMs();
  if (outcome.kind === 'sent') {
    await log.markSent(claim, id, nowMs);
    count('sent', 1);
    return;
  }
  const { reason } = outcome;
  logger.warn({ mail: id, attempts, reason }, 'send mails: e-mail not sent');
  if (outcome.kind === 'refused') {
    await log.giveUp(claim, [id], reason);
    count('failed', 1);
    return;
  }
  await log.defer(claim, id, {
    nextMs: nowMs + retryDelayMs(attempts, outcome.kind, random),
    reason,
  });
  count('retried', 1);
}

const idsOf = (mails: readonly DueDelivery[]) => mails.map(({ id }) => id);

function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
