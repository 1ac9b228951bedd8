import type { PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';
import type { UnsubscribeTokens } from '../domain/mailer.ts';
import type { Mailing } from '../domain/send-due-mails.ts';
import { createSendMailsJob } from '../jobs/send-mails-job.ts';
import { createMailComposer } from './compose-mail.ts';
import { mailSettings } from './mail-settings.ts';
import { openSmtpMailer } from './smtp-mailer.ts';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';

export interface OpenMailing {
  /** Undefined without a secret; there may be one without e-mails, for the links of those that were sent. */
  readonly tokens: UnsubscribeTokens | undefined;
  /** Undefined while e-mails are off. */
  readonly job: PollingJob | undefined;
}

type Parts = Pick<Mailing, 'log' | 'services' | 'clock' | 'logger' | 'count'>;

/** What the settings say of e-mails. @throws SettingsError */
export async function openMailing(
  settings: SettingsOf<NotificationsSettings>,
  parts: Parts,
): Promise<OpenMailing> {
  const mail = mailSettings(settings);
  const [first, ...older] = settings.MAIL_SECRET ?? [];
  const tokens = first === undefined ? undefined : createUnsubscribeTokens([first, ...older]);
  if (!mail || !tokens) return { tokens, job: undefined };
  const mailing: Mailing = {
    ...parts,
    mailer: await openSmtpMailer(mail),
    compose: createMailComposer({ from: mail.from, publicUrl: settings.PUBLIC_URL }),
    tokens,
    leaseMs: settings.MAIL_LEASE_SECONDS * 1_000,
    giveUpMs: settings.MAIL_GIVE_UP_HOURS * 3_600_000,
    atOnce: mail.connections,
    random: Math.random,
  };
  return { tokens, job: createSendMailsJob(mailing, settings.MAIL_POLL_MS) };
}
