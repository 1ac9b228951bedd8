import { integer, setting } from '@casewatch/service-kit/settings/settings';
import {
  databaseConnections,
  PUBLIC_URL,
  secrets,
  supportSettings,
} from '@casewatch/service-kit/settings/shared-settings';
import { z } from 'zod';
import { leaseMinSeconds, MAIL_SEND_MAX_MS, PUSH_SEND_MAX_MS } from './domain/send-times.ts';
import { isPushHost, KNOWN_PUSH_HOSTS } from './web-push/push-hosts.ts';

/** `Casewatch <notices@example.com>` or the bare address: one line, one address. */
const SENDER = /^(?:[^<>@\p{Cc}]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;

/** What the event streams need, with the rest of the service or alone. */
export const streamSettings = {
  NOTIFICATION_STREAM_SECONDS: setting(integer(5, 86_400).default(14_400), {
    description:
      'A stream of notifications lasts at most this many seconds and at least half of them, at random; then the browser opens it anew. It ends with its session in any case.',
  }),
  NOTIFICATION_HEARTBEAT_SECONDS: setting(integer(1, 300).default(20), {
    description: 'A silent stream of notifications gets a heartbeat after this many seconds.',
  }),
  NOTIFICATION_STREAMS_PER_USER: setting(integer(1, 1_000).default(6), {
    description:
      'Streams of notifications that one person may have open at one process; one more ends the oldest. The web app opens one per browser.',
  }),
  NOTIFICATION_STREAMS: setting(integer(1).default(20_000), {
    description:
      'Streams of notifications that one process keeps open; one more is asked to come back after 15 to 30 seconds.',
  }),
  NOTIFICATIONS_DATABASE_CONNECTIONS: databaseConnections('notifications', 10),
};

/** What the notifications service reads from the environment. */
export const settings = {
  ...streamSettings,
  NOTIFICATION_MONTHS: setting(integer(14, 1_200).default(36), {
    description:
      'Notifications, read or not, and their delivery log are kept for this many months; they go by whole months (UTC). What still waits to be sent, as in a snooze, stays until it was.',
  }),
  SMTP_URL: setting(
    z
      .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// URL with a host' })
      .optional(),
    {
      description:
        'The mail server that takes the e-mails: `smtp://user:password@host:587` (with STARTTLS, which must be there where a user is given) or `smtps://user:password@host:465`. Options of nodemailer’s SMTP transport may follow as a query, such as `?requireTLS=true`. Needs MAIL_FROM and MAIL_SECRET. Unset: no e-mail is sent or queued.',
      secret: true,
    },
  ),
  MAIL_FROM: setting(
    z.string().regex(SENDER, 'must be an address, or a name and <address>, on one line').optional(),
    { description: 'The sender of e-mails: `Casewatch <notices@example.com>`. Needed with SMTP_URL.' },
  ),
  SMTP_USERNAME: setting(z.string().optional(), {
    description: 'User of SMTP_URL, in place of the one in the URL; any characters.',
  }),
  SMTP_PASSWORD: setting(z.string().optional(), {
    description: 'Password of SMTP_URL, in place of the one in the URL; any characters.',
    secret: true,
  }),
  MAIL_SECRET: setting(secrets().optional(), {
    description:
      'Signs the links that stop e-mails; several, separated by commas, while one is replaced: the first signs, each is believed. Needed with SMTP_URL where the services run apart; all-in-one makes its own.',
    secret: true,
  }),
  MAIL_REPORT_SECRET: setting(secrets().optional(), {
    description:
      'What the header `Mail-Report-Secret` of `POST /api/webhooks/mail-reports` has to say, to which the mail server passes bounces and complaints; several, separated by commas, while one is replaced. Unset: none are accepted. Needs MAIL_SECRET.',
    secret: true,
  }),
  MAIL_CONNECTIONS: setting(integer(1, 50).default(2), {
    description:
      'Connections to the mail server that one process has at most, which is how many e-mails are sent in parallel.',
  }),
  MAIL_GIVE_UP_HOURS: setting(integer(1, 720).default(72), {
    description:
      'An e-mail that the mail server has deferred for this long fails. The time of an outage does not count.',
  }),
  MAIL_LEASE_SECONDS: setting(
    integer(
      leaseMinSeconds(MAIL_SEND_MAX_MS),
      3_600,
      'sending one e-mail may take 45 seconds, and another process would send it, too',
    ).default(120),
    { description: 'An e-mail whose process died while sending is sent by another after this time.' },
  ),
  MAIL_POLL_MS: setting(integer(10, 60_000).default(5_000), {
    description:
      'How often e-mails that wait for another try are looked for, in milliseconds; new ones are sent at once.',
  }),
  PUSH_VAPID_PUBLIC_KEY: setting(
    z
      .string()
      .regex(/^[\w-]{87}$/, 'must be a key as npm run push-keys prints it')
      .optional(),
    {
      description:
        'What browsers subscribe to push messages with (VAPID, RFC 8292). `npm run push-keys` makes a pair. Needs PUSH_VAPID_PRIVATE_KEY and PUSH_SUBJECT. With a new pair every device subscribes again when the product is opened there. Unset: no push message is sent; all-in-one makes its own.',
    },
  ),
  PUSH_VAPID_PRIVATE_KEY: setting(
    z
      .string()
      .regex(/^[\w-]{43}$/, 'must be a key as npm run push-keys prints it')
      .optional(),
    { description: 'Signs push messages; belongs to PUSH_VAPID_PUBLIC_KEY.', secret: true },
  ),
  PUSH_SUBJECT: setting(
    z
      .union(
        [z.url({ protocol: /^https$/ }), z.string().regex(/^mailto:[^\s@]+@[^\s@]+$/)],
        'must be mailto: and an address, or an https URL',
      )
      .optional(),
    {
      description:
        'Where push services reach the operator: `mailto:ops@example.com` or an https URL. Needed with PUSH_VAPID_PUBLIC_KEY.',
    },
  ),
  PUSH_HOSTS: setting(
    z
      .string()
      .default(KNOWN_PUSH_HOSTS)
      .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
      .pipe(
        z.array(
          z.string().refine(isPushHost, 'must be hosts, such as push.example.com or *.example.com:8443'),
        ),
      ),
    {
      description:
        'The push services that messages may go to, separated by commas: hosts, `*.` and a domain, with `:port` where it is not 443. Others are refused when a device is added and when a message is sent. A name that leads to a private address is refused in any case; an IPv4 address that the list names is not.',
    },
  ),
  PUSH_LEASE_SECONDS: setting(
    integer(
      leaseMinSeconds(PUSH_SEND_MAX_MS),
      3_600,
      'sending one push message may take 10 seconds, and another process would send it, too',
    ).default(60),
    { description: 'A push message whose process died while sending is sent by another after this time.' },
  ),
  PUSH_POLL_MS: setting(integer(10, 60_000).default(5_000), {
    description:
      'How often push messages that wait for another try are looked for, in milliseconds; new ones are sent at once.',
  }),
  ...supportSettings,
  PUBLIC_URL,
};

export type NotificationsSettings = typeof settings;
