import { type AccountMail, prepareAccountMails } from '@casewatch/contracts/account-mails';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { type CaseOverview, listCaseOverviews } from '@casewatch/contracts/case-overviews';
import { checkDeviceSession, grantDeviceSession } from '@casewatch/contracts/device-sessions';
import type { Language } from '@casewatch/contracts/languages';
import { listMailAddresses, reportMailResult } from '@casewatch/contracts/mail-addresses';
import { listOpenDates, type OpenDate } from '@casewatch/contracts/saved-case-dates';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import {
  type MailAccount,
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from '@casewatch/testing/mail-server';
import { startTcpProxy } from '@casewatch/testing/tcp-proxy';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { expect } from 'vitest';
import {
  type NotificationsFixture,
  newUserId,
  type Options,
  startNotifications,
} from './notifications-fixture.ts';

export const MAIL_SECRET = 'a secret for links in e-mails';
export const PUBLIC_URL = 'https://casewatch.example.com';

/** Of a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 100 };

interface DeliveryRow {
  state: string;
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
  queued_at: Date;
  next_attempt_at: Date | null;
}

/** Identity and cases, as far as e-mails ask them. */
export function startDirectory() {
  const emails = new Map<string, string>();
  const nicknames = new Map<string, string>();
  /** Of users whose cases are not I-130s; an empty one is not known. */
  const forms = new Map<string, string>();
  /** Of users who read another language than English. */
  const languages = new Map<string, Language>();
  /** Until when a user's cases are snoozed. */
  const snoozed = new Map<string, string>();
  /** Users who have removed their cases. */
  const removed = new Set<string>();
  /** Users whose address is not proven. */
  const unverified = new Set<string>();
  /** Where users' cases stand, for their digests. */
  const overviews = new Map<string, CaseOverview[]>();
  /** Of all users. */
  const openDates: OpenDate[] = [];
  const accountMails = new Map<string, AccountMail>();
  /** Sessions that have ended: none of their devices gets push messages. */
  const endedSessions = new Set<string>();
  /** Runs before identity says whether a device of a session may get messages. */
  const beforeSessionCheck = { run: async () => {} };
  const ofSession = async ({ sessionId }: { sessionId: string }) => {
    if (unavailable.identity) throw new Error('identity is unavailable');
    return { body: { granted: !endedSessions.has(sessionId) } };
  };
  const unavailable = { identity: false, cases: false, reports: false };
  /** Addresses that mail servers refuse for good, as reported. */
  const refusedAddresses = new Set<string>();
  const rows = [
    route(listMailAddresses, async ({ body }) => {
      if (unavailable.identity) throw new Error('identity is unavailable');
      const addresses = body.userIds.flatMap((userId) => {
        const email = emails.get(userId);
        const language = languages.get(userId) ?? 'en';
        const refused = refusedAddresses.has(email ?? '') ? { refused: true as const } : {};
        return email === undefined
          ? []
          : [{ userId, email, verified: !unverified.has(userId), language, ...refused }];
      });
      return { body: { addresses } };
    }),
    route(reportMailResult, async ({ body: { email, accepted } }) => {
      if (unavailable.identity || unavailable.reports) throw new Error('identity is unavailable');
      if (accepted) refusedAddresses.delete(email);
      else refusedAddresses.add(email);
      return { body: { ok: true as const } };
    }),
    route(grantDeviceSession, ({ body }) => ofSession(body)),
    route(checkDeviceSession, async ({ body }) => {
      await beforeSessionCheck.run();
      return ofSession(body);
    }),
    route(prepareAccountMails, async ({ body }) => {
      if (unavailable.identity) throw new Error('identity is unavailable');
      return { body: { mails: body.mailIds.flatMap((id) => accountMails.get(id) ?? []) } };
    }),
    route(listCaseOverviews, async ({ body }) => {
      if (unavailable.cases) throw new Error('cases is unavailable');
      return { body: { cases: body.userIds.flatMap((userId) => overviews.get(userId) ?? []) } };
    }),
    route(listOpenDates, async ({ body: { from, until } }) => {
      if (unavailable.cases) throw new Error('cases is unavailable');
      return { body: { dates: openDates.filter(({ day }) => day >= from && day <= until), next: null } };
    }),
    route(listCaseNicknames, async ({ body }) => {
      if (unavailable.cases) throw new Error('cases is unavailable');
      const found = body.cases.flatMap((key) => {
        const nickname = nicknames.get(key.userId);
        return nickname === undefined ? [] : [{ ...key, nickname }];
      });
      const saved = body.cases.filter(({ userId }) => !removed.has(userId));
      const details = saved.map((key) => ({
        ...key,
        nickname: nicknames.get(key.userId) ?? null,
        formType: (forms.get(key.userId) ?? 'I-130') || null,
        snoozedUntil: snoozed.get(key.userId) ?? null,
        archived: false,
        openDates: openDates.filter(({ userId }) => userId === key.userId),
      }));
      return { body: { nicknames: found, details } };
    }),
  ];
  const client = createServiceClient({
    locate: () => ({ kind: 'local', routes: rows }),
    internalSecret: 'unused',
  });
  return {
    emails,
    endedSessions,
    beforeSessionCheck,
    languages,
    nicknames,
    forms,
    snoozed,
    removed,
    overviews,
    openDates,
    unverified,
    accountMails,
    unavailable,
    refusedAddresses,
    client,
  };
}

export interface MailFixtureOptions extends MailServerOptions {
  env?: Record<string, string>;
  /** What follows the address of the server in SMTP_URL. */
  query?: string;
  telemetry?: Telemetry;
  /** One that outlasts the first process. */
  database?: TestDatabase;
}

/** The notifications service with a mail server behind a proxy that can be cut, and users with addresses. */
export async function startMailing(options: MailFixtureOptions = {}) {
  const server: MailServer = await startMailServer(options);
  const road = await startTcpProxy({ host: '127.0.0.1', port: server.port });
  const directory = startDirectory();
  const smtpUrl = (account?: MailAccount) => {
    const credentials = account ? `${account.user}:${encodeURIComponent(account.password)}@` : '';
    return `smtp://${credentials}127.0.0.1:${road.port}${options.query ?? ''}`;
  };
  const env = {
    SMTP_URL: smtpUrl(options.account),
    MAIL_FROM: 'Casewatch <notices@casewatch.example.com>',
    MAIL_SECRET,
    PUBLIC_URL,
    ...options.env,
  };
  const { telemetry, database } = options;
  const notifications = await startNotifications({
    env,
    services: directory.client,
    ...(telemetry ? { telemetry } : {}),
    ...(database ? { database } : {}),
  });
  const others = new Set<NotificationsFixture>();
  let count = 0;

  const rowOf = async (notificationId: string): Promise<DeliveryRow | undefined> => {
    const rows = await notifications.database.query<DeliveryRow>(
      "SELECT * FROM notifications.deliveries WHERE notification_id = $1 AND channel = 'email'",
      [notificationId],
    );
    return rows[0];
  };

  return {
    ...notifications,
    /** The first process alone; without a database of its own it takes that along when it stops. */
    first: notifications,
    server,
    smtpUrl,
    road,
    directory,
    rowOf,
    /** A user with an account. */
    person(email = `person-${++count}@people.example`) {
      const userId = newUserId();
      directory.emails.set(userId, email);
      return { userId, email };
    },
    /** Another process of the same service; `env`: what is different there. */
    async another(more: Options = {}) {
      const { database, clock } = notifications;
      const other = await startNotifications({
        services: directory.client,
        database,
        clock,
        ...more,
        env: { ...env, ...more.env },
      });
      others.add(other);
      const stop = async () => {
        if (others.delete(other)) await other.stop();
      };
      return { ...other, stop };
    },
    /** Resolves when the e-mail is in this state; `passing`: so much time goes by before each look. */
    becomes: (notificationId: string, state: string, { passing = 0 } = {}) =>
      expect
        .poll(async () => {
          if (passing > 0) await notifications.clock.advance(passing);
          return (await rowOf(notificationId))?.state;
        }, PATIENCE)
        .toBe(state),
    /** Resolves when the given number of attempts have failed and the e-mail waits for another. */
    waitsAfter: (notificationId: string, attempts: number, { passing = 0 } = {}) =>
      expect
        .poll(async () => {
          if (passing > 0) await notifications.clock.advance(passing);
          const row = await rowOf(notificationId);
          return row?.state === 'queued' && row.last_error !== null ? row.attempts : 0;
        }, PATIENCE)
        .toBeGreaterThanOrEqual(attempts),
    /** Everything takes and gives again. */
    async calm() {
      server.refuseRecipients(() => undefined);
      server.refuseMessages(() => undefined);
      await road.set('pass');
      directory.unavailable.identity = false;
      directory.unavailable.cases = false;
      directory.unavailable.reports = false;
    },
    async stop() {
      for (const other of others) await other.stop();
      await notifications.stop();
      await directory.client.stop();
      await road.stop();
      await server.stop();
    },
  };
}
export type MailFixture = Awaited<ReturnType<typeof startMailing>>;
