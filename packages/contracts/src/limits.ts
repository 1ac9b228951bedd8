/** Business constants that the server enforces and the web app shows (product specification, section 9). */
export const BULK_SEARCH_MAX = 10;
export const FREE_SAVED_CASES_MAX = 3;
export const PASSWORD_MIN_LENGTH = 8;
/** An upper bound so that nobody can make the server hash megabytes. */
export const PASSWORD_MAX_LENGTH = 256;
export const NICKNAME_MAX_LENGTH = 100;
export const NAME_MAX_LENGTH = 100;
export const EMAIL_MAX_LENGTH = 254;

export const TIERS = ['free', 'pro'] as const;
export type Tier = (typeof TIERS)[number];

export const MONITORING_FREQUENCIES = ['none', 'daily', 'weekly', 'monthly'] as const;
export type MonitoringFrequency = (typeof MONITORING_FREQUENCIES)[number];
