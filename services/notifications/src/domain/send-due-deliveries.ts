import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryClaim, DeliveryLog, DueDelivery } from './delivery-log.ts';
import { lastStartMs, retryDelayMs } from './send-times.ts';

/**
 * What became of a message, as it is counted; `retried`: it is tried again; `unavailable`: likewise, and the server accepts nothing
 * at all.
 */
export type DeliveryResult = 'sent' | 'retried' | 'unavailable' | 'failed' | 'skipped';

/**
 * What came of a try. `reason` is a word for log and table: never the server's answer, which names people.
 * - `sent`: the server has taken it.
 * - `refused`: it never will, for this recipient or message.
 * - `deferred`: not now, for this recipient or message; not before `retryAfterMs` where the server has asked for it.
 * - `unavailable`: the server accepts nothing at all: no connection, no answer, no sign-in.
 */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'refused' | 'deferred' | 'unavailable';
      readonly reason: string;
      readonly retryAfterMs?: number;
    };

/** What carries the messages of a channel. */
export interface Sender<Message> {
  /** Resolves, whatever happens. Stops when the signal aborts; the server may have taken it all the same. */
  send(message: Message, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** A snooze or quiet hours can end earlier than they were to. */
export const LOOK_AGAIN_MS = 3_600_000;

/** Messages of one kind: their delivery log, and what they say. */
export interface DeliveryKind<Due extends DueDelivery, Message> {
  readonly log: DeliveryLog<Due>;
  /** Writes the claimed messages, with what other services know of them at this moment. */
  prepare(due: readonly Due[]): Promise<Prepared<Due, Message>>;
}

export interface Postponed<Due extends DueDelivery> {
  readonly due: Due;
  readonly untilMs: number;
  /** A word for the log, where the time alone does not say what it waits for. */
  readonly reason?: string | undefined;
}

export interface Prepared<Due extends DueDelivery, Message> {
  readonly ready: readonly { readonly due: Due; readonly message: Message }[];
  /** Not to be sent before a time, in milliseconds since the epoch. */
  readonly postponed?: readonly Postponed<Due>[];
  /** Not to be sent any more, with a word for the reason. */
  readonly dropped: readonly { readonly due: Due; readonly reason: string }[];
  /** The service without which none can be written; all others are tried again, and no attempt counts. */
  readonly unavailable?: string;
}

interface PreparedAll<Due extends DueDelivery, Message>
  extends Required<Pick<Prepared<Due, Message>, 'ready' | 'postponed' | 'dropped'>> {
  readonly failed: readonly Due[];
  readonly unavailable: string | undefined;
}

export interface Sending<Due extends DueDelivery, Message> {
  /** For the log: `send mails`. */
  readonly name: string;
  readonly kind: DeliveryKind<Due, Message>;
  readonly sender: Sender<Message>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: CountResult;
  readonly leaseMs: number;
  /** How long one attempt takes at most. */
  readonly sendMaxMs: number;
  readonly giveUpMs: number;
  /** Messages that are sent side by side. */
  readonly atOnce: number;
  readonly random: () => number;
}

/** Counts messages by what became of them. */
export type CountResult = (result: DeliveryResult, messages: number) => void;

export interface DeliveryPass {
  readonly claimed: number;
  /** The code of an unavailable server; undefined when messages can be sent. */
  readonly unavailable: string | undefined;
}

/** `stopping`: begin no other. `abandon`: wait for none. */
export interface Ending {
  readonly stopping: AbortSignal;
  readonly abandon: AbortSignal;
}

/**
 * Runs one pass: claims messages that are due, has them written, sends them and settles each by what came of it. When the
 * process dies between the server's word and ours, the message is sent again after the lease, under the same id.
 */
export async function sendDueDeliveries<Due extends DueDelivery, Message>(
  sending: Sending<Due, Message>,
  limit: number,
  ending: Ending,
): Promise<DeliveryPass> {
  const { kind, clock, leaseMs } = sending;
  const claim = await kind.log.claim({ nowMs: clock.nowMs(), leaseMs, limit });
  const claimed = claim.due.length;
  if (claimed === 0) return { claimed, unavailable: undefined };
  const { ready, dropped, postponed, failed, unavailable } = await prepareAll(sending, claim.due);
  await skip(sending, claim, dropped);
  for (const one of failed) await settle(sending, claim, one, { kind: 'deferred', reason: 'prepare-failed' });
  for (const group of Map.groupBy(postponed, ({ untilMs, reason = '' }) => `${untilMs} ${reason}`).values()) {
    const [{ untilMs, reason } = { untilMs: clock.nowMs(), reason: undefined }] = group;
    const ids = idsOf(group.map(({ due }) => due));
    const nextMs = Math.min(untilMs, clock.nowMs() + LOOK_AGAIN_MS);
    await kind.log.postpone(claim, ids, { untilMs, nextMs, reason });
  }
  if (unavailable !== undefined) {
    const settled = new Set([...failed, ...[...dropped, ...postponed].map(({ due }) => due)]);
    const waiting = claim.due.filter((one) => !settled.has(one));
    await kind.log.release(claim, idsOf(waiting), clock.nowMs());
    return { claimed, unavailable };
  }
  return { claimed, unavailable: await sendAll(sending, claim, ready, ending) };
}

/**
 * Prepares the messages, those of each half by themselves where that fails: one that can't be prepared keeps no other
 * from being sent.
 * @throws while the database is unavailable
 */
async function prepareAll<Due extends DueDelivery, Message>(
  sending: Sending<Due, Message>,
  due: readonly Due[],
): Promise<PreparedAll<Due, Message>> {
  const { kind, name, logger } = sending;
  try {
    const { postponed = [], unavailable, ...prepared } = await kind.prepare(due);
    return { ...prepared, postponed, unavailable, failed: [] };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (due.length === 1) {
      logger.error({ err: error, delivery: idsOf(due)[0] }, `${name}: message not prepared, will retry`);
      return { ready: [], dropped: [], postponed: [], failed: due, unavailable: undefined };
    }
    const middle = Math.ceil(due.length / 2);
    const first = await prepareAll(sending, due.slice(0, middle));
    const second = await prepareAll(sending, due.slice(middle));
    return {
      ready: [...first.ready, ...second.ready],
      dropped: [...first.dropped, ...second.dropped],
      postponed: [...first.postponed, ...second.postponed],
      failed: [...first.failed, ...second.failed],
      unavailable: first.unavailable ?? second.unavailable,
    };
  }
}

async function skip<Due extends DueDelivery, Message>(
  { kind, count }: Sending<Due, Message>,
  claim: DeliveryClaim,
  dropped: Prepared<Due, Message>['dropped'],
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
 * Sends concurrently until all are sent, the server is unavailable, the process stops, or the lease might end during another
 * attempt; messages not begun are released. Resolves to the code of an unavailable server.
 */
async function sendAll<Due extends DueDelivery, Message>(
  sending: Sending<Due, Message>,
  claim: DeliveryClaim,
  ready: Prepared<Due, Message>['ready'],
  { stopping, abandon }: Ending,
): Promise<string | undefined> {
  const { kind, sender, clock, sendMaxMs, atOnce } = sending;
  const waiting = [...ready];
  const untilMs = lastStartMs(claim.leaseUntilMs, sendMaxMs);
  let unavailable: string | undefined;

  async function work(): Promise<void> {
    while (unavailable === undefined && !stopping.aborted && clock.nowMs() < untilMs) {
      const next = waiting.shift();
      if (!next) return;
      const outcome = await sender.send(next.message, abandon);
      if (outcome.kind === 'unavailable') unavailable = outcome.reason;
      if (outcome.kind === 'unavailable' && abandon.aborted) waiting.push(next);
      else await settle(sending, claim, next.due, outcome);
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

/** A message is abandoned when it fails by itself and is older than allowed: that others were unavailable takes nothing from its time. */
async function settle<Due extends DueDelivery, Message>(
  { name, kind, clock, count, logger, giveUpMs, random }: Sending<Due, Message>,
  claim: DeliveryClaim,
  { id, attempts, queuedAtMs }: Due,
  outcome: Outcome,
): Promise<void> {
  const { log } = kind;
  const nowMs = clock.nowMs();
  if (outcome.kind === 'sent') {
    await log.markSent(claim, id, nowMs);
    count('sent', 1);
    return;
  }
  const { reason, retryAfterMs = 0 } = outcome;
  logger.warn({ delivery: id, attempts, reason }, `${name}: not sent`);
  const isExpired = outcome.kind === 'deferred' && nowMs - queuedAtMs > giveUpMs;
  if (outcome.kind === 'refused' || isExpired) {
    await log.giveUp(claim, [id], isExpired ? 'expired' : reason);
    count('failed', 1);
    return;
  }
  await log.defer(claim, id, {
    nextMs: nowMs + Math.max(retryAfterMs, retryDelayMs(attempts, outcome.kind, random)),
    reason,
  });
  count(outcome.kind === 'unavailable' ? 'unavailable' : 'retried', 1);
}

const idsOf = (due: readonly DueDelivery[]) => due.map(({ id }) => id);
