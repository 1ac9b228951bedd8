import type { DatabaseClock } from '@casewatch/service-kit/database/database-clock';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';
import type { DeliveryLogs } from '../data/delivery-logs.ts';
import { accountMails } from '../domain/account-mails.ts';
import type { DueDelivery } from '../domain/delivery-log.ts';
import { digestMails } from '../domain/digest-mails.ts';
import type { DigestSchedules } from '../domain/digests.ts';
import type { RecipientTags } from '../domain/mail-report.ts';
import type { Mail, UnsubscribeTokens } from '../domain/mailer.ts';
import { reportMailResults } from '../domain/report-mail-results.ts';
import type { CountResult, DeliveryKind, Sending } from '../domain/send-due-deliveries.ts';
import { MAIL_SEND_MAX_MS } from '../domain/send-times.ts';
import { statusMails } from '../domain/status-mails.ts';
import { createMakeDigestsJob } from '../jobs/make-digests-job.ts';
import { createSendDeliveriesJob } from '../jobs/send-deliveries-job.ts';
import { createAccountMailComposer } from './compose-account-mail.ts';
import { createDigestComposer } from './compose-digest.ts';
import { createMailComposer } from './compose-mail.ts';
import { mailSettings } from './mail-settings.ts';
import { createRecipientTags } from './recipient-tags.ts';
import { openSmtpMailer } from './smtp-mailer.ts';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';

export interface OpenMailing {
  /** Undefined without a secret; there may be one without e-mails, for the links of those that were sent. */
  readonly tokens: UnsubscribeTokens | undefined;
  readonly tags: RecipientTags | undefined;
  /** One per kind of e-mail, so that none waits behind the others; none while e-mails are off. */
  readonly jobs: readonly PollingJob[];
}

interface Parts {
  clock: DatabaseClock;
  logger: Logger;
  count: CountResult;
  logs: Pick<DeliveryLogs, 'accountMails' | 'statusMails' | 'digestMails'>;
  digestSchedules: DigestSchedules;
  services: ServiceClient;
}

/** Returns what the settings say of e-mails. @throws SettingsError */
export async function openMailing(
  settings: SettingsOf<NotificationsSettings>,
  { logs, digestSchedules, services, ...parts }: Parts,
): Promise<OpenMailing> {
  const mail = mailSettings(settings);
  const [first, ...older] = settings.MAIL_SECRET ?? [];
  if (first === undefined) return { tokens: undefined, tags: undefined, jobs: [] };
  const tokens = createUnsubscribeTokens([first, ...older]);
  const tags = createRecipientTags([first, ...older]);
  if (!mail) return { tokens, tags, jobs: [] };
  const { clock, logger } = parts;
  const { smtpUrl } = mail;
  const sender = { from: mail.from, publicUrl: settings.PUBLIC_URL };
  async function open<Due extends DueDelivery>(
    name: string,
    kind: DeliveryKind<Due, Mail>,
    connections: number,
  ): Promise<PollingJob> {
    const sending: Sending<Due, Mail> & Pick<Parts, 'clock'> = {
      ...parts,
      name: 'send mails',
      kind,
      sender: reportMailResults(await openSmtpMailer({ ...sender, smtpUrl, connections, tags }), {
        services,
        logger,
      }),
      leaseMs: settings.MAIL_LEASE_SECONDS * 1_000,
      sendMaxMs: MAIL_SEND_MAX_MS,
      giveUpMs: settings.MAIL_GIVE_UP_HOURS * 3_600_000,
      atOnce: connections,
      random: Math.random,
    };
    return createSendDeliveriesJob(name, sending, settings.MAIL_POLL_MS);
  }
  const status = statusMails({
    log: logs.statusMails,
    services,
    compose: createMailComposer(sender),
    tokens,
    clock,
    logger,
  });
  const account = accountMails({
    log: logs.accountMails,
    services,
    compose: createAccountMailComposer({
      ...sender,
      supportEmail: settings.SUPPORT_EMAIL,
      supportUrl: settings.SUPPORT_URL,
    }),
    logger,
  });
  const digest = digestMails({
    log: logs.digestMails,
    services,
    compose: createDigestComposer(sender),
    tokens,
    clock,
    logger,
  });
  const sendDigests = await open('send-digests', digest, OWN_CONNECTIONS);
  const onMade = () => sendDigests.notify();
  return {
    tokens,
    tags,
    jobs: [
      await open('send-mails', status, mail.connections),
      await open('send-account-mails', account, OWN_CONNECTIONS),
      createMakeDigestsJob({ name: 'make-digests', schedules: digestSchedules, clock, logger, onMade }),
      sendDigests,
    ],
  };
}

/** Of their own, so that an e-mail with a link goes out while a burst of status changes takes all the others. */
const OWN_CONNECTIONS = 1;
