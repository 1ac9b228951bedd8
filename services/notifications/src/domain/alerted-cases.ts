import { CASE_NICKNAMES_MAX, type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { REMOVED_CASES_DAYS } from '@casewatch/contracts/limits';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DateSubject, Subject } from './subject.ts';
import { kindOf } from './user-settings.ts';

/** A message about a notification, as far as its case is concerned. */
export interface Alert {
  readonly userId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
  /** Until when it waits for its case, which was removed, to be restored; undefined: the case was saved when it was last looked at. */
  readonly restorableUntilMs: number | undefined;
}

/** Why an alert is not sent now. */
export type Wait =
  | { readonly kind: 'awake' }
  | { readonly kind: 'waits'; readonly untilMs: number; readonly reason?: 'removed' }
  | { readonly kind: 'removed' };

/** What is known of the case; nothing while cases is unavailable. */
export type KnownCase = Partial<CaseDetails>;

/** The cases of some alerts, as their users have them at this moment. */
export interface AlertedCases {
  of(alert: Alert): KnownCase | undefined;
  /**
   * Whether the alert may be sent: it waits for the end of a snooze, for cases to say whether there is one, and while the case is removed
   * as long as it can be restored. What needs action does not wait. A reminder is sent while its date is open and not
   * over, and looked at once more an hour after it was found not to be open.
   */
  waitOf(alert: Alert, nowMs: number): Wait;
}

const HOUR_MS = 3_600_000;
/** Then cases is asked again. */
const UNAVAILABLE_MS = 60_000;
const RESTORABLE_MS = REMOVED_CASES_DAYS * 24 * HOUR_MS;

/** Resolves also while cases is unavailable. `name` is for the log: `send mails`. */
export async function findAlertedCases(
  { name, services, logger }: { name: string; services: ServiceClient; logger: Logger },
  alerts: readonly Alert[],
): Promise<AlertedCases> {
  const found = await ask();
  const of = (alert: Alert) =>
    alert.subject.kind !== 'plan' ? found?.get(keyOf({ userId: alert.userId, ...alert.subject })) : undefined;
  return {
    of,
    waitOf(alert, nowMs) {
      const { subject } = alert;
      if (subject.kind !== 'date' && kindOf(subject) !== 'status') return AWAKE;
      if (!found) return { kind: 'waits', untilMs: nowMs + UNAVAILABLE_MS };
      const known = of(alert);
      if (subject.kind === 'date') {
        if (isOver(subject, nowMs)) return { kind: 'removed' };
        if (isOpen(subject, known)) return AWAKE;
        // What was just removed or marked as done by mistake may be undone: no other message of this reminder comes.
        if (alert.restorableUntilMs !== undefined) return { kind: 'removed' };
        return { kind: 'waits', untilMs: nowMs + HOUR_MS, reason: 'removed' };
      }
      if (known) {
        const untilMs = Date.parse(known.snoozedUntil ?? '');
        return untilMs > nowMs ? { kind: 'waits', untilMs } : AWAKE;
      }
      // A removal of a moment ago may be undone: what has just come is sent.
      if (nowMs - alert.createdAt.getTime() <= HOUR_MS) return AWAKE;
      const untilMs = alert.restorableUntilMs ?? nowMs + RESTORABLE_MS;
      return untilMs > nowMs ? { kind: 'waits', untilMs, reason: 'removed' } : { kind: 'removed' };
    },
  };

  async function ask(): Promise<ReadonlyMap<string, KnownCase> | undefined> {
    const asked = new Map(
      alerts.flatMap(({ userId, subject }) =>
        subject.kind !== 'plan'
          ? [[keyOf({ userId, ...subject }), { userId, receiptNumber: subject.receiptNumber }]]
          : [],
      ),
    );
    const cases = [...asked.values()];
    const known = new Map<string, KnownCase>();
    try {
      for (let start = 0; start < cases.length; start += CASE_NICKNAMES_MAX) {
        const body = { cases: cases.slice(start, start + CASE_NICKNAMES_MAX) };
        const { details } = await services.call(listCaseNicknames, { body });
        for (const one of details) known.set(keyOf(one), one);
      }
      return known;
    } catch (error) {
      logger.warn({ err: error, alerts: alerts.length }, `${name}: case lookup failed, others wait`);
      return undefined;
    }
  }
}

/** Of an older version of cases no dates are known. */
const isOpen = ({ dateId, day }: DateSubject, known: KnownCase | undefined) =>
  known !== undefined && (known.openDates?.some((one) => one.id === dateId && one.day === day) ?? true);

/** Twelve hours after the end of the day in UTC it is over in every time zone. */
const isOver = ({ day }: DateSubject, nowMs: number) =>
  nowMs >= Date.parse(`${day}T00:00:00Z`) + 36 * HOUR_MS;

const AWAKE: Wait = { kind: 'awake' };

const keyOf = ({ userId, receiptNumber }: { userId: string; receiptNumber: string }) =>
  `${userId} ${receiptNumber}`;
