import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryClaim, DeliveryLog, DueMail } from './delivery-log.ts';
import type { MailComposer, Mailer, Outcome, UnsubscribeTokens } from './mailer.ts';
import { retryDelayMs } from './retry-delay.ts';

/** What became of an e-mail, as it is counted; `retried`: it is tried again. */
export type MailResult = 'sent' | 'retried' | 'failed' | 'skipped';

export interface Mailing {
  readonly log: DeliveryLog;
  readonly services: ServiceClient;
  readonly mailer: Mailer;
  readonly compose: MailComposer;
  readonly tokens: UnsubscribeTokens;
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
 * One pass: claims e-mails that are due, asks whose they are, sends them and settles each by what came of it. When the
 * process dies between the server's word and ours, the e-mail is sent again after the lease, under the same message id.
 */
export async function sendDueMails(mailing: Mailing, limit: number, ending: Ending): Promise<MailPass> {
  const { log, clock, leaseMs } = mailing;
  const claim = await log.claim({ nowMs: clock.nowMs(), leaseMs, limit });
  const wanted = await sortOut(mailing, claim, claim.mails);
  if (wanted.length === 0) return { claimed: claim.mails.length, unavailable: undefined };
  let addresses: ReadonlyMap<string, string>;
  try {
    addresses = await addressesOf(mailing, wanted);
  } catch (error) {
    mailing.logger.warn(
      { err: error, mails: wanted.length },
      'send mails: address lookup failed, will retry',
    );
    await log.release(claim, idsOf(wanted), clock.nowMs());
    return { claimed: claim.mails.length, unavailable: 'identity' };
  }
  const [withAccount, without] = split(wanted, ({ userId }) => addresses.has(userId));
  await skip(mailing, claim, without, 'no-account');
  const nicknames = await nicknamesOf(mailing, withAccount);
  const nicknameOf = ({ userId, subject }: DueMail) =>
    subject.kind === 'status' ? nicknames.get(keyOf({ userId, ...subject })) : undefined;
  const unavailable = await sendAll(mailing, claim, withAccount, ending, (mail) =>
    mailing.compose(
      { ...mail, nickname: nicknameOf(mail) },
      {
        to: addresses.get(mail.userId) ?? '',
        unsubscribeToken: mailing.tokens.issue(mail.userId),
        date: new Date(clock.nowMs()),
      },
    ),
  );
  return { claimed: claim.mails.length, unavailable };
}

/** Closes e-mails that are turned off or too old. */
async function sortOut(mailing: Mailing, claim: DeliveryClaim, mails: readonly DueMail[]) {
  const [wanted, unwanted] = split(mails, (mail) => mail.wanted);
  await skip(mailing, claim, unwanted, 'opted-out');
  const oldestMs = mailing.clock.nowMs() - mailing.giveUpMs;
  const [fresh, expired] = split(wanted, ({ queuedAtMs }) => queuedAtMs >= oldestMs);
  if (expired.length > 0) {
    await mailing.log.giveUp(claim, idsOf(expired), 'expired');
    mailing.count('failed', expired.length);
  }
  return fresh;
}

async function skip(mailing: Mailing, claim: DeliveryClaim, mails: readonly DueMail[], reason: string) {
  if (mails.length === 0) return;
  await mailing.log.skip(claim, idsOf(mails), reason);
  mailing.count('skipped', mails.length);
}

async function addressesOf({ services }: Mailing, mails: readonly DueMail[]) {
  const userIds = [...new Set(mails.map(({ userId }) => userId))];
  const { addresses } = await services.call(listMailAddresses, { body: { userIds } });
  return new Map(addresses.map(({ userId, email }) => [userId, email]));
}

/** What they are called is a comfort: an e-mail goes without it rather than late. */
async function nicknamesOf({ services, logger }: Mailing, mails: readonly DueMail[]) {
  const cases = mails.flatMap(({ userId, subject }) =>
    subject.kind === 'status' ? { userId, receiptNumber: subject.receiptNumber } : [],
  );
  if (cases.length === 0) return new Map<string, string>();
  try {
    const { nicknames } = await services.call(listCaseNicknames, { body: { cases } });
    return new Map(nicknames.map((found) => [keyOf(found), found.nickname]));
  } catch (error) {
    logger.warn(
      { err: error, mails: mails.length },
      'send mails: nickname lookup failed, sending without nicknames',
    );
    return new Map<string, string>();
  }
}

/**
 * Sends concurrently until all are sent, the server is unavailable, half the lease is over or the process stops; e-mails
 * not begun are released. Resolves to the code of an unavailable server.
 */
async function sendAll(
  mailing: Mailing,
  claim: DeliveryClaim,
  mails: readonly DueMail[],
  { stopping, abandon }: Ending,
  compose: (mail: DueMail) => ReturnType<MailComposer>,
): Promise<string | undefined> {
  const { log, mailer, clock, leaseMs, atOnce } = mailing;
  const waiting = [...mails];
  const lastStartMs = claim.leaseUntilMs - leaseMs / 2;
  let unavailable: string | undefined;

  async function work(): Promise<void> {
    while (unavailable === undefined && !stopping.aborted && clock.nowMs() < lastStartMs) {
      const mail = waiting.shift();
      if (!mail) return;
      const outcome = await mailer.send(compose(mail), abandon);
      if (outcome.kind === 'unavailable') unavailable = outcome.reason;
      if (outcome.kind === 'unavailable' && abandon.aborted) waiting.push(mail);
      else await settle(mailing, claim, mail, outcome);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  await log.release(claim, idsOf(waiting), clock.nowMs());
  return unavailable;
}

async function settle(
  mailing: Mailing,
  claim: DeliveryClaim,
  mail: DueMail,
  outcome: Outcome,
): Promise<void> {
  const { log, clock, count, logger, random } = mailing;
  const nowMs = clock.nowMs();
  if (outcome.kind === 'sent') {
    await log.markSent(claim, mail.notificationId, nowMs);
    count('sent', 1);
    return;
  }
  const { reason } = outcome;
  logger.warn(
    { notification: mail.notificationId, attempts: mail.attempts, reason },
    'send mails: e-mail not sent',
  );
  if (outcome.kind === 'refused') {
    await log.giveUp(claim, [mail.notificationId], reason);
    count('failed', 1);
    return;
  }
  await log.defer(claim, mail.notificationId, {
    nextMs: nowMs + retryDelayMs(mail.attempts, outcome.kind, random),
    reason,
  });
  count('retried', 1);
}

const idsOf = (mails: readonly DueMail[]) => mails.map(({ notificationId }) => notificationId);
const keyOf = ({ userId, receiptNumber }: { userId: string; receiptNumber: string }) =>
  `${userId} ${receiptNumber}`;

function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
