/** What users choose about notifications. Without zod: the web app's first load uses this too. */
export const NOTIFICATION_TIMINGS = ['immediately', 'daily', 'weekly', 'never'] as const;
export type NotificationTiming = (typeof NOTIFICATION_TIMINGS)[number];
export const IMMEDIATE_OR_NEVER = ['immediately', 'never'] as const;
export type ImmediateOrNever = (typeof IMMEDIATE_OR_NEVER)[number];
export const DIGEST_TIMINGS = ['daily', 'weekly', 'never'] as const;
export type DigestTiming = (typeof DIGEST_TIMINGS)[number];

/**
 * What a notification is about, as users choose by it; `needsAction`: a status that asks something of the applicant; `dates`: a reminder of a
 * date that the user entered.
 */
export const NOTIFICATION_KINDS = ['status', 'needsAction', 'dates', 'billing'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** One comes at its hour or never. */
interface DateReminders {
  /** At once, unless chosen. */
  dates?: ImmediateOrNever | undefined;
}

export interface NotificationSettings {
  bell: Record<'status' | 'needsAction' | 'billing', ImmediateOrNever> & DateReminders;
  /** Those about the plan and the security of the account can't be turned off. */
  email: {
    status: NotificationTiming;
    needsAction: NotificationTiming;
    digest: DigestTiming;
  } & DateReminders;
  /** One about the plan has a date, and comes at once or never. */
  push: {
    status: NotificationTiming;
    needsAction: NotificationTiming;
    billing: ImmediateOrNever;
  } & DateReminders;
  quietHours: QuietHours | null;
  /** IANA name; null: not chosen yet, UTC counts. */
  timeZone: string | null;
  digestHour: number;
  /** 1 is Monday. */
  digestDay: number;
}

/** Local times like `22:00`; an end before the beginning is on the next day. */
export interface QuietHours {
  from: string;
  until: string;
}

const ALWAYS = { status: 'immediately', needsAction: 'immediately', billing: 'immediately' } as const;

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  bell: ALWAYS,
  email: { status: 'immediately', needsAction: 'immediately', digest: 'never' },
  push: ALWAYS,
  quietHours: null,
  timeZone: null,
  digestHour: 8,
  digestDay: 1,
};

/** Kinds of e-mails that a link in them stops, with what the page calls them. */
export const STOPPABLE_MAILS = {
  status: 'status changes',
  needsAction: 'statuses that need action',
  dates: 'date reminders',
  digest: 'your digest',
} as const;
export type StoppableMail = keyof typeof STOPPABLE_MAILS;

export function isStoppableMail(text: string): text is StoppableMail {
  return Object.keys(STOPPABLE_MAILS).includes(text);
}
