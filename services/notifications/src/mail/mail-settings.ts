import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';

export interface MailSettings {
  readonly smtpUrl: string;
  readonly from: string;
  readonly connections: number;
}

type Settings = SettingsOf<NotificationsSettings>;

/** Returns what e-mails are sent with; undefined when they are off. @throws SettingsError when something is missing for them */
export function mailSettings(settings: Settings): MailSettings | undefined {
  const { SMTP_URL, MAIL_FROM, MAIL_CONNECTIONS } = settings;
  if (SMTP_URL === undefined) return undefined;
  const problems: string[] = [];
  if (MAIL_FROM === undefined) problems.push('MAIL_FROM: is needed with SMTP_URL');
  if (settings.MAIL_SECRET === undefined) problems.push('MAIL_SECRET: is needed with SMTP_URL');
  if (MAIL_FROM === undefined || problems.length > 0) throw new SettingsError(problems);
  return { smtpUrl: SMTP_URL, from: MAIL_FROM, connections: MAIL_CONNECTIONS };
}
