import { type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { mailTiming, sendableAt } from './choose-deliveries.ts';
import type { DeliveryLog, DueMail } from './delivery-log.ts';
import type { Mail, MailComposer, UnsubscribeTokens } from './mailer.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';
import { kindOf } from './user-settings.ts';

interface StatusMailParts {
  log: DeliveryLog;
  services: ServiceClient;
  compose: MailComposer;
  tokens: UnsubscribeTokens;
  clock: Clock;
  logger: Logger;
}

/**
 * E-mails of notifications: to users who want them, at the address of the account if it is proven, with the user's name
 * for the case.
 */
export function statusMails(parts: StatusMailParts): DeliveryKind<DueMail, Mail> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(parts: StatusMailParts, due: readonly DueMail[]): Promise<Prepared<DueMail, Mail>> {
  const nowMs = parts.clock.nowMs();
  const isWanted = (mail: DueMail) => mailTiming(kindOf(mail.subject), mail.settings) !== 'never';
  const unwanted = drop(due, (mail) => !isWanted(mail), 'opted-out');
  const quiet = due.filter(isWanted).map((mail) => ({
    due: mail,
    untilMs: sendableAt(kindOf(mail.subject), mail.settings, nowMs),
  }));
  const early = quiet.filter(({ untilMs }) => untilMs > nowMs);
  const wanted = quiet.filter(({ untilMs }) => untilMs <= nowMs).map((one) => one.due);
  if (wanted.length === 0) return { ready: [], dropped: unwanted, postponed: early };
  const addresses = await addressesOf(parts, wanted);
  if (!addresses) return { ready: [], dropped: unwanted, postponed: early, unavailable: 'identity' };
  const isProven = ({ userId }: DueMail) => addresses.get(userId)?.verified !== false;
  const dropped = [
    ...unwanted,
    ...drop(wanted, ({ userId }) => !addresses.has(userId), 'no-account'),
    ...drop(wanted, (mail) => !isProven(mail), 'unverified'),
  ];
  const sendable = wanted.filter((mail) => addresses.has(mail.userId) && isProven(mail));
  const cases = await casesOf(parts, sendable);
  const caseOf = ({ userId, subject }: DueMail) =>
    subject.kind === 'status' ? cases.get(keyOf({ userId, ...subject })) : undefined;
  const snoozed = sendable.flatMap((mail) => {
    const untilMs = Date.parse(caseOf(mail)?.snoozedUntil ?? '');
    return untilMs > nowMs && kindOf(mail.subject) !== 'needsAction' ? [{ due: mail, untilMs }] : [];
  });
  const isSnoozed = (mail: DueMail) => snoozed.some((one) => one.due === mail);
  const awake = sendable.filter((mail) => !isSnoozed(mail));
  const ready = awake.map((mail) => ({
    due: mail,
    message: parts.compose(
      {
        ...mail,
        notificationId: mail.id,
        nickname: caseOf(mail)?.nickname ?? undefined,
        formType: caseOf(mail)?.formType ?? undefined,
      },
      {
        to: addresses.get(mail.userId)?.email ?? '',
        unsubscribeToken: parts.tokens.issue(mail.userId, stoppableOf(mail)),
        date: new Date(parts.clock.nowMs()),
      },
    ),
  }));
  return { ready, dropped, postponed: [...early, ...snoozed] };
}

/** An e-mail about the plan has no link that stops it. */
function stoppableOf({ subject }: DueMail): StoppableMail {
  return kindOf(subject) === 'needsAction' ? 'needsAction' : 'status';
}

function drop(mails: readonly DueMail[], which: (mail: DueMail) => boolean, reason: string) {
  return mails.filter(which).map((due) => ({ due, reason }));
}

/** Undefined while identity is unavailable. */
async function addressesOf({ services, logger }: StatusMailParts, mails: readonly DueMail[]) {
  const userIds = [...new Set(mails.map(({ userId }) => userId))];
  try {
    const { addresses } = await services.call(listMailAddresses, { body: { userIds } });
    return new Map(addresses.map((found) => [found.userId, found]));
  } catch (error) {
    logger.warn({ err: error, mails: mails.length }, 'send mails: address lookup failed, will retry');
    return undefined;
  }
}

/** What the user calls a case is a convenience: an e-mail is sent without it rather than late. */
async function casesOf({ services, logger }: StatusMailParts, mails: readonly DueMail[]) {
  const cases = mails.flatMap(({ userId, subject }) =>
    subject.kind === 'status' ? { userId, receiptNumber: subject.receiptNumber } : [],
  );
  if (cases.length === 0) return new Map<string, Partial<CaseDetails>>();
  try {
    const { nicknames, details } = await services.call(listCaseNicknames, { body: { cases } });
    return new Map<string, Partial<CaseDetails>>(
      (details ?? nicknames).map((found) => [keyOf(found), found]),
    );
  } catch (error) {
    logger.warn(
      { err: error, mails: mails.length },
      'send mails: case lookup failed, sending without nicknames',
    );
    return new Map<string, Partial<CaseDetails>>();
  }
}

const keyOf = ({ userId, receiptNumber }: { userId: string; receiptNumber: string }) =>
  `${userId} ${receiptNumber}`;
