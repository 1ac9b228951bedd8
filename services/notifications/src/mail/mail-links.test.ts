import { ACCOUNT_MAIL_KINDS } from '@casewatch/contracts/account-mails';
import { appPageAt } from '@casewatch/contracts/app-pages';
import { LANGUAGES } from '@casewatch/contracts/languages';
import { PLAN_END_REASONS, PLAN_MILESTONES } from '@casewatch/contracts/limits';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { POLICY_NAMES, policyPage } from '@casewatch/contracts/server-paths';
import { expect, test } from 'vitest';
import type { Mail } from '../domain/mailer.ts';
import { createAccountMailComposer } from './compose-account-mail.ts';
import { createDigestComposer } from './compose-digest.ts';
import { createMailComposer, OFFICIAL_URL } from './compose-mail.ts';

const ORIGIN = 'https://casewatch.example.com';
const SENDER = { from: 'Casewatch <notices@casewatch.example.com>', publicUrl: ORIGIN };
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const date = new Date('2026-01-05T12:00:00Z');

const mails: Mail[] = LANGUAGES.flatMap((language) => {
  const addressed = { to: 'ada@people.example', language, unsubscribeToken: 'token', date };
  const notice = {
    notificationId: ID,
    createdAt: date,
    timeZone: null,
    nickname: undefined,
    formType: undefined,
  };
  const compose = createMailComposer(SENDER);
  const composeAccount = createAccountMailComposer(SENDER);
  const composeDigest = createDigestComposer(SENDER);
  const one = { receiptNumber: 'EAC9999103403', nickname: null, formType: null };
  return [
    ...ACCOUNT_MAIL_KINDS.map((kind) =>
      composeAccount({
        mailId: ID,
        kind,
        to: addressed.to,
        requestedAt: date.toISOString(),
        token: 'secret',
        tokenMinutes: 30,
        isFirstProof: false,
        passkeys: 1,
        device: 'Firefox on Windows',
        network: '198.51.100.0/24',
        language,
      }),
    ),
    ...PLAN_MILESTONES.flatMap((milestone) =>
      PLAN_END_REASONS.map((reason) =>
        compose({ ...notice, subject: { kind: 'plan', milestone, reason, effectiveAt: date } }, addressed),
      ),
    ),
    compose(
      {
        ...notice,
        subject: {
          kind: 'status',
          receiptNumber: one.receiptNumber,
          oldStatus: null,
          newStatus: 'Case Was Approved',
        },
      },
      addressed,
    ),
    composeDigest(
      {
        id: ID,
        userId: 'u',
        kind: 'daily',
        period: '2026-01-05',
        queuedAtMs: 0,
        attempts: 1,
        settings: DEFAULT_NOTIFICATION_SETTINGS,
      },
      {
        changed: [
          {
            ...one,
            notificationId: 'n',
            oldStatus: 'Case Was Received',
            between: [],
            newStatus: 'Case Was Approved',
          },
        ],
        hasMoreChanged: false,
        unchanged: [],
        hasMoreUnchanged: false,
      },
      addressed,
    ),
  ];
});

test.each(mails.map((mail) => [mail.language, mail.subject, mail] as const))(
  'in %s, every link of "%s" opens its page or the sign-in in a browser without a session',
  (_language, _subject, { text }) => {
    const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link));
    const policies = POLICY_NAMES.map(policyPage);
    expect(links.filter(({ pathname }) => policies.includes(pathname))).toHaveLength(2);
    const own = links.filter(({ href, pathname }) => href !== OFFICIAL_URL && !policies.includes(pathname));
    for (const { origin, pathname } of own) {
      expect(origin).toBe(ORIGIN);
      expect([pathname, appPageAt(pathname)?.shownSignedOut]).toEqual([
        pathname,
        expect.stringMatching(/^(page|sign-in)$/),
      ]);
    }
  },
);
