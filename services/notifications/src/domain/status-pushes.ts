import { CASE_NICKNAMES_MAX, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';
import type { Push, PushTarget } from './send-push.ts';
import type { Subject } from './subject.ts';

/** A due message of a notification to a device. */
export interface DuePush extends DueDelivery {
  readonly notificationId: string;
  readonly userId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
  readonly device: PushTarget & { readonly publicKey: string; readonly showReceiptNumbers: boolean };
  /** There is a newer notification about the case, which has a message of its own. */
  readonly superseded: boolean;
}

/** What the user knows the case by; each is empty when there is none. */
export interface CaseNames {
  readonly nickname: string;
  readonly formType: string;
}

/** Writes the message of one notification. */
export type PushComposer = (due: DuePush, names: CaseNames) => Push;

interface StatusPushParts {
  log: DeliveryLog<DuePush>;
  services: ServiceClient;
  compose: PushComposer;
  publicKey: string;
  isAllowed: (endpoint: string) => boolean;
  logger: Logger;
}

/** Push messages of notifications, with the user's name for the case or its form. */
export function statusPushes(parts: StatusPushParts): DeliveryKind<DuePush, Push> {
  const { log, compose, publicKey, isAllowed } = parts;

  function whyNot({ superseded, device }: DuePush): string | undefined {
    if (superseded) return 'superseded';
    // The device subscribes with the new one when the product is opened there.
    if (device.publicKey !== publicKey) return 'other-key';
    return isAllowed(device.endpoint) ? undefined : 'host-not-allowed';
  }

  async function prepare(due: readonly DuePush[]): Promise<Prepared<DuePush, Push>> {
    const dropped = due.flatMap((one) => {
      const reason = whyNot(one);
      return reason === undefined ? [] : [{ due: one, reason }];
    });
    const sendable = due.filter((one) => whyNot(one) === undefined);
    const names = await namesOf(parts, sendable);
    const ready = sendable.map((one) => ({
      due: one,
      message: compose(one, names.get(keyOf(one.userId, one.subject)) ?? NO_NAMES),
    }));
    return { ready, dropped };
  }
  return { log, prepare };
}

const NO_NAMES: CaseNames = { nickname: '', formType: '' };

/** Names are a convenience: a message is sent without them rather than late. */
async function namesOf({ services, logger }: StatusPushParts, due: readonly DuePush[]) {
  const named = new Map<string, CaseNames>();
  const cases = new Map(
    due.flatMap(({ userId, subject }) =>
      subject.kind === 'status'
        ? [[keyOf(userId, subject), { userId, receiptNumber: subject.receiptNumber }]]
        : [],
    ),
  );
  if (cases.size === 0) return named;
  try {
    const body = { cases: [...cases.values()].slice(0, CASE_NICKNAMES_MAX) };
    const { nicknames, forms = [] } = await services.call(listCaseNicknames, { body });
    const give = (found: { userId: string; receiptNumber: string }, name: Partial<CaseNames>) => {
      const key = keyOf(found.userId, { kind: 'status', ...found });
      named.set(key, { ...(named.get(key) ?? NO_NAMES), ...name });
    };
    for (const found of nicknames) give(found, { nickname: found.nickname });
    for (const found of forms) give(found, { formType: found.formType });
  } catch (error) {
    logger.warn({ err: error }, 'send push: name lookup failed, sending without names');
  }
  return named;
}

const keyOf = (userId: string, subject: { kind: 'plan' } | { kind: 'status'; receiptNumber: string }) =>
  subject.kind === 'status' ? `${userId} ${subject.receiptNumber}` : userId;
