import { ACCOUNT_MAIL_KINDS } from '@casewatch/contracts/account-mails';
import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { PLAN_END_REASONS, PLAN_MILESTONES } from '@casewatch/contracts/limits';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import { DIGEST_KINDS } from '../domain/digest-schedule.ts';
import type { Mail } from '../domain/mailer.ts';
import { createAccountMailComposer } from './compose-account-mail.ts';
import { createDigestComposer } from './compose-digest.ts';
import { createMailComposer } from './compose-mail.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const AT = new Date('2026-01-05T12:00:00Z');
const SENDER = { from: 'notices@casewatch.example.com', publicUrl: 'https://casewatch.example.com' };
const compose = createMailComposer(SENDER);
const composeDigest = createDigestComposer(SENDER);
const composeAccountMail = createAccountMailComposer(SENDER);
const composeWithSupport = createAccountMailComposer({
  ...SENDER,
  supportUrl: 'https://help.example.com/new',
});
const COMPLETE = { hasMoreChanged: false, hasMoreUnchanged: false };
const addressed = (language: Language) => ({ to: 'ada', language, unsubscribeToken: 't', date: AT });
/** What stays the same in every language. */
const GIVEN = [/^[A-Z]-\d+/, /^Firefox/, /^198\./, /^(?:- )?EAC/, /^https:/];

const MAILS: readonly [name: string, composeIn: (language: Language) => Mail][] = [
  ...['I-130', 'N-400'].map((formType): [string, (language: Language) => Mail] => [
    `a status change (${formType})`,
    (language) =>
      compose(
        {
          notificationId: ID,
          createdAt: AT,
          timeZone: null,
          nickname: undefined,
          formType,
          subject: {
            kind: 'status',
            receiptNumber: 'EAC9999103403',
            oldStatus: 'Case Was Received',
            newStatus: 'Case Was Approved',
          },
        },
        addressed(language),
      ),
  ]),
  ...PLAN_MILESTONES.flatMap((milestone) =>
    PLAN_END_REASONS.map((reason): [string, (language: Language) => Mail] => [
      `${milestone} (${reason})`,
      (language) =>
        compose(
          {
            notificationId: ID,
            createdAt: AT,
            timeZone: null,
            nickname: undefined,
            formType: undefined,
            subject: { kind: 'plan', milestone, reason, effectiveAt: AT },
          },
          addressed(language),
        ),
    ]),
  ),
  ...DIGEST_KINDS.flatMap((kind) =>
    [0, 1, 60].map((count): [string, (language: Language) => Mail] => [
      `a ${kind} digest of ${count} changes`,
      (language) => composeDigest(digest(kind), content(count), addressed(language)),
    ]),
  ),
  ...ACCOUNT_MAIL_KINDS.flatMap((kind) =>
    [0, 1, 3].map((passkeys): [string, (language: Language) => Mail] => [
      `${kind} (${passkeys} passkeys)`,
      (language) => {
        const writer = passkeys === 3 ? composeWithSupport : composeAccountMail;
        return writer({
          mailId: ID,
          kind,
          to: 'ada',
          language,
          requestedAt: AT.toISOString(),
          token: 'secret',
          tokenMinutes: passkeys === 0 ? 30 : 1_440,
          isFirstProof: passkeys === 0,
          passkeys,
          device: passkeys === 1 ? null : 'Firefox on Windows',
          network: passkeys === 1 ? null : '198.51.100.0/24',
        });
      },
    ]),
  ),
];

test.each(MAILS)('%s has each of its texts in both languages', (_, composeIn) => {
  const [english, spanish] = [composeIn('en'), composeIn('es')];
  expect(spanish.subject).not.toBe(english.subject);
  expect(sentencesOf(english.text).length).toBeGreaterThan(2);
  expect(sentencesOf(spanish.text).filter((one) => sentencesOf(english.text).includes(one))).toEqual([]);
  expect(linksOf(spanish.text)).toEqual(linksOf(english.text));
  expect(spanish.messageId).toBe(english.messageId);
  expect(spanish.unsubscribeUrl).toBe(english.unsubscribeUrl);
  for (const language of LANGUAGES) {
    const { html, language: named } = composeIn(language);
    expect(named).toBe(language);
    expect(html).toContain(`<html lang="${language}"`);
  }
  expect(spanish.text).not.toMatch(/\b(?:January|the|your|and|days?|AM|PM)\b/);
});

test('dates are written as people write them in the language of the e-mail', () => {
  const [, statusMail] = MAILS[0] ?? [];
  expect(statusMail?.('en').text).toContain('January 5, 2026 at 12:00 PM UTC');
  expect(statusMail?.('es').text).toMatch(/5 de enero de 2026.* UTC/);
});

const UNKNOWN = 'Your Horoscope Was Consulted';
const SPANISH = 'Se consultó su horóscopo';

test.each([
  [undefined, UNKNOWN],
  [{ status: `${UNKNOWN}.`, statusEs: SPANISH }, SPANISH],
  [{ status: 'Another Status', statusEs: SPANISH }, UNKNOWN],
  [{ status: UNKNOWN, statusEs: null }, UNKNOWN],
])('a status that is not known is named as the agency names it: of %j %s', (own, name) => {
  const subject = {
    kind: 'status',
    receiptNumber: 'EAC9999103403',
    oldStatus: null,
    newStatus: UNKNOWN,
  } as const;
  const { text } = compose(
    {
      notificationId: ID,
      createdAt: AT,
      timeZone: null,
      nickname: 'Mamá',
      formType: undefined,
      subject,
      own,
    },
    addressed('es'),
  );
  expect(text.split('\n')[0]).toBe(`Su caso Mamá (EAC******3403) tiene un estatus nuevo: ${name}.`);
  expect(text).toContain('Todavía no conocemos este estatus');

  const one = { receiptNumber: 'EAC9999103403', nickname: null };
  const changed = { ...one, notificationId: ID, formType: null, between: [], oldStatus: null };
  const summary = composeDigest(
    digest('daily'),
    {
      ...COMPLETE,
      changed: [{ ...changed, newStatus: UNKNOWN, own }],
      unchanged: [{ ...one, days: 1, isAtLeast: false, ...own, status: own?.status ?? UNKNOWN }],
    },
    addressed('es'),
  );
  expect(summary.text).toContain(`Estatus nuevo: ${name}\n`);
  expect(summary.text).toContain(`3403: ${own?.statusEs ?? UNKNOWN}, 1 día en este estatus`);
});

function digest(kind: (typeof DIGEST_KINDS)[number]) {
  return {
    id: ID,
    userId: 'u',
    kind,
    period: '2026-01-05',
    queuedAtMs: 0,
    attempts: 1,
    settings: DEFAULT_NOTIFICATION_SETTINGS,
  };
}

function content(count: number) {
  const cases = { receiptNumber: 'EAC9999103403', nickname: null };
  return {
    changed: Array.from({ length: count }, (_, index) => ({
      ...cases,
      notificationId: `n${index}`,
      formType: 'N-400',
      oldStatus: index === 0 ? null : 'Case Was Received',
      between: [],
      newStatus: 'Case Was Approved',
    })),
    unchanged: Array.from({ length: count }, (_, index) => ({
      ...cases,
      status: 'Case Was Received',
      days: index + 1,
      isAtLeast: index % 2 === 0,
    })),
    hasMoreChanged: false,
    hasMoreUnchanged: false,
  };
}

/** The sentences, labels and values of a text, without what stays the same. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.:,]) /)
    .map((part) => part.trim())
    .filter((part) => /[A-Za-z]{2}/.test(part) && !GIVEN.some((given) => given.test(part)));
}

const linksOf = (text: string) => text.match(/https:\/\/\S+/g) ?? [];
