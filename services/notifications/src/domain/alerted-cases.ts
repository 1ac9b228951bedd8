import { CASE_NICKNAMES_MAX, type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Subject } from './subject.ts';
import { kindOf } from './user-settings.ts';

/** A message about a notification, as far as its case is concerned. */
export interface Alert {
  readonly userId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
}

/** What is known of the case; nothing while cases is unavailable. */
export type KnownCase = Partial<CaseDetails>;

/** The cases of some alerts, as their users have them at this moment. */
export interface AlertedCases {
  of(alert: Alert): KnownCase | undefined;
  /** Whether the user has removed the case, so that the alert is not sent. */
  isRemoved(alert: Alert, nowMs: number): boolean;
  /** When the alert may be sent: at the end of a snooze, or as soon as cases says whether there is one. What needs action does not wait. */
  awakeAtMs(alert: Alert, nowMs: number): number;
}

const HOUR_MS = 3_600_000;
/** Then cases is asked again. */
const UNAVAILABLE_MS = 60_000;

/** Resolves also while cases is unavailable. `name` is for the log: `send mails`. */
export async function findAlertedCases(
  { name, services, logger }: { name: string; services: ServiceClient; logger: Logger },
  alerts: readonly Alert[],
): Promise<AlertedCases> {
  const found = await ask();
  const of = (alert: Alert) =>
    alert.subject.kind === 'status'
      ? found?.cases.get(keyOf({ userId: alert.userId, ...alert.subject }))
      : undefined;
  return {
    of,
    // A removal of a moment ago may be undone: what has just come is sent.
    isRemoved: (alert, nowMs) =>
      kindOf(alert.subject) === 'status' &&
      found?.isWhole === true &&
      of(alert) === undefined &&
      nowMs - alert.createdAt.getTime() > HOUR_MS,
    awakeAtMs(alert, nowMs) {
      if (kindOf(alert.subject) !== 'status') return nowMs;
      if (!found) return nowMs + UNAVAILABLE_MS;
      const until = of(alert)?.snoozedUntil;
      return until ? Date.parse(until) : nowMs;
    },
  };

  async function ask() {
    const asked = new Map(
      alerts.flatMap(({ userId, subject }) =>
        subject.kind === 'status'
          ? [[keyOf({ userId, ...subject }), { userId, receiptNumber: subject.receiptNumber }]]
          : [],
      ),
    );
    if (asked.size === 0) return { cases: new Map<string, KnownCase>(), isWhole: false };
    try {
      const body = { cases: [...asked.values()].slice(0, CASE_NICKNAMES_MAX) };
      const { nicknames, details } = await services.call(listCaseNicknames, { body });
      return {
        cases: new Map<string, KnownCase>((details ?? nicknames).map((one) => [keyOf(one), one])),
        /** Whether a case that is not among them is not saved. */
        isWhole: details !== undefined && asked.size <= CASE_NICKNAMES_MAX,
      };
    } catch (error) {
      logger.warn({ err: error, alerts: alerts.length }, `${name}: case lookup failed, others wait`);
      return undefined;
    }
  }
}

const keyOf = ({ userId, receiptNumber }: { userId: string; receiptNumber: string }) =>
  `${userId} ${receiptNumber}`;
