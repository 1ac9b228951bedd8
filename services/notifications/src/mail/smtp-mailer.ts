import type { RecipientTags } from '../domain/mail-report.ts';
import type { Mailer } from '../domain/mailer.ts';
import { MAIL_SEND_MAX_MS } from '../domain/send-times.ts';
import type { MailSettings } from './mail-settings.ts';
import { outcomeOf } from './smtp-outcome.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** A server may take its time to look at a message; RFC 5321 (4.5.3.2) would wait for minutes. */
const SILENCE_TIMEOUT_MS = 30_000;

type Settings = MailSettings & { readonly tags: RecipientTags };

/** Sends through the server of SMTP_URL, over pooled connections. Loads nodemailer on demand. */
export async function openSmtpMailer({ smtpUrl, from, connections, tags }: Settings): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // We try again ourselves, and later.
    maxRequeues: 1,
    // Never sends a password unencrypted, even if STARTTLS was stripped from the server's greeting.
    ...(new URL(smtpUrl).username === '' ? {} : { requireTLS: true }),
  });
  return {
    async send({ to, language, unsubscribeUrl, mayBeRefused: _mayBeRefused, ...mail }, signal) {
      try {
        await transport.sendMail({
          ...mail,
          messageId: tags.tagged(mail.messageId, to),
          from,
          // Not as text, which may be read as a list of addresses.
          to: { name: '', address: to },
          headers: {
            'Auto-Submitted': 'auto-generated',
            'Content-Language': language,
            ...(unsubscribeUrl === undefined ? {} : oneClick(unsubscribeUrl)),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(MAIL_SEND_MAX_MS)]),
        });
        return { kind: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: async () => transport.close({ force: true }),
  };
}

function oneClick(url: string) {
  return {
    'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
