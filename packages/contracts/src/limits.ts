/** Business constants that the server enforces and the web app shows (product specification, section 9). */
export const BULK_SEARCH_MAX = 10;
export const FREE_SAVED_CASES_MAX = 3;
export const PASSWORD_MIN_LENGTH = 8;
/** An upper bound, so that a request cannot make the server hash megabytes. */
export const PASSWORD_MAX_LENGTH = 256;
export const NICKNAME_MAX_LENGTH = 100;
export const TAGS_MAX = 10;
export const TAG_MAX_LENGTH = 40;
/** Dates of one saved case, done ones too. */
export const CASE_DATES_MAX = 20;
export const CASE_DATE_LABEL_MAX = 100;
/** Saved cases that one request changes or adds. */
export const SAVED_CASE_BULK_MAX = 500;
/** Receipt numbers by which one read chooses among the saved cases or the watches. */
export const CHOSEN_CASES_MAX = 100;
/** Receipt numbers that one export names; their JSON stays below the limit of a body. */
export const EXPORT_SELECTION_MAX = 5_000;
/** A removed case can be restored this long. */
export const REMOVED_CASES_DAYS = 30;
/** Alerts of a case can wait this long. */
export const SNOOZE_DAYS_MAX = 365;
/** Passkeys of one account at most: enough for every device of a person, and few enough for one list. */
export const PASSKEYS_MAX = 20;
/** Devices of one user that get push messages. */
export const PUSH_DEVICES_MAX = 10;
export const NAME_MAX_LENGTH = 100;
export const EMAIL_MAX_LENGTH = 254;

export const TIERS = ['free', 'pro'] as const;
export type Tier = (typeof TIERS)[number];

export const MONITORING_FREQUENCIES = ['none', 'daily', 'weekly', 'monthly'] as const;
export type MonitoringFrequency = (typeof MONITORING_FREQUENCIES)[number];

/** Dollars: what twelve months of the monthly plan cost, for the saving shown next to the yearly price. */
export const YEAR_OF_MONTHS_DOLLARS = 108;
export const TRIAL_DAYS = 14;
export const PRICE_INTERVALS = ['month', 'year'] as const;

/** What happens to a plan that its user is notified of. */
export const PLAN_MILESTONES = [
  'trial-ending',
  'trial-without-card',
  'payment-failed',
  'pro-ended',
  'pro-returned',
  'price-changing',
] as const;
export type PlanMilestone = (typeof PLAN_MILESTONES)[number];
/** Why Pro ended: an unpaid invoice, a cancellation, or a payment that was returned to the payer. */
export const PLAN_END_REASONS = ['payment-failed', 'canceled', 'refunded'] as const;
export type PlanEndReason = (typeof PLAN_END_REASONS)[number];
/** The user is reminded of the end of a trial this many days before it: card networks ask for 7 at least, and an e-mail may take a day. */
export const TRIAL_REMINDER_DAYS = 8;

export const SURVEY_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type SurveyFrequency = (typeof SURVEY_FREQUENCIES)[number];
export const QUESTION_TYPES = ['text', 'radio', 'checkbox'] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];
export const SURVEY_TITLE_MAX_LENGTH = 200;
export const SURVEY_TEXT_MAX_LENGTH = 2000;
export const ANSWER_MAX_LENGTH = 5000;
export const QUESTION_OPTIONS_MAX = 50;
export const SURVEY_QUESTIONS_MAX = 100;
export const ADMIN_LOG_PAGE_SIZE = 50;

/** Saved views of the log, of one administrator. */
export const LOG_VIEWS_MAX = 50;
export const LOG_VIEW_NAME_MAX = 60;

/** Characters of what the agency says of a failure. */
export const AGENCY_MESSAGE_MAX = 500;
