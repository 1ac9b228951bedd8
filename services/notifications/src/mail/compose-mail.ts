import { NOTIFICATION_PAGE, UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { planWords } from '@casewatch/contracts/plan-words';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import type { Addressed, Mail, MailComposer, Notice } from '../domain/mailer.ts';
import type { PlanSubject, StatusSubject } from '../domain/subject.ts';
import { type Fact, type Letter, type Link, letterHtml, letterText, oneLine } from './letter.ts';

export const UTC = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
export const OFFICIAL_URL = 'https://egov.uscis.gov/';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Writes the e-mail of a notification: what changed, what it means, what to do next, and one link. Receipt numbers are
 * masked: e-mail is read on lock screens and kept by strangers; so the link names the notification, which leads its owner
 * to the case. What people and the agency wrote becomes one line each, and in HTML nothing but text.
 * The domain of the message id is that of `from`, the rest the notification's id.
 */
export function createMailComposer({ from, publicUrl }: { from: string; publicUrl: string }): MailComposer {
  const domain = messageDomain(from);
  const urlOf = (path: string) => new URL(path, publicUrl).href;

  return (notice, addressed) => {
    const { subject } = notice;
    return subject.kind === 'plan'
      ? planMail({ ...notice, subject }, addressed, urlOf, domain)
      : statusMail({ ...notice, subject }, addressed, urlOf, domain);
  };
}

type UrlOf = (path: string) => string;

function planMail(
  { notificationId, subject }: Notice & { subject: PlanSubject },
  { to, date }: Addressed,
  urlOf: UrlOf,
  domain: string,
): Mail {
  const { title, text, action } = planWords(subject, DAY.format(subject.effectiveAt));
  const letter: Letter = {
    title,
    parts: [
      { kind: 'text', text },
      { kind: 'link', label: action.label, url: urlOf(action.path) },
    ],
    footer: [...UNOFFICIAL, 'You get this e-mail because it is about your Casewatch plan.'],
  };
  return {
    to,
    subject: `Casewatch: ${title}`,
    ...bodiesOf(letter),
    messageId: `<${notificationId}.plan-milestone-reached@${domain}>`,
    date,
  };
}

function statusMail(
  { notificationId, subject, createdAt, nickname, formType }: Notice & { subject: StatusSubject },
  { to, unsubscribeToken, date }: Addressed,
  urlOf: UrlOf,
  domain: string,
): Mail {
  const token = encodeURIComponent(unsubscribeToken);
  const name = caseName(subject.receiptNumber, nickname);
  const newStatus = oneLine(subject.newStatus);
  const form = oneLine(formType ?? '');
  const { means, todo } = guidanceFor(newStatus, form);
  const facts: Fact[] = [
    ['New status', newStatus],
    ...(subject.oldStatus === null ? [] : [['Old status', oneLine(subject.oldStatus)] as const]),
    ...(form === '' ? [] : [['Form', form] as const]),
    ['Noticed', `${UTC.format(createdAt)} UTC`],
  ];
  const letter: Letter = {
    title: 'Case update',
    parts: [
      { kind: 'lead', before: 'The status of your case ', name, after: ' has changed.' },
      { kind: 'facts', facts },
      { kind: 'heading', text: 'What this means' },
      { kind: 'text', text: means },
      { kind: 'heading', text: 'What you may need to do' },
      { kind: 'text', text: todo },
      { kind: 'link', label: 'See it in Casewatch', url: urlOf(`${NOTIFICATION_PAGE}/${notificationId}`) },
    ],
    footer: [
      NOT_ADVICE,
      ...UNOFFICIAL,
      'You get this e-mail because you watch this case.',
      { label: 'Stop these e-mails', url: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`) },
    ],
  };
  return {
    to,
    subject: `Case update: ${name}`,
    ...bodiesOf(letter),
    messageId: `<${notificationId}.status-changed@${domain}>`,
    date,
    unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
  };
}

/** What the user calls a case, with its masked receipt number, on one line. */
export function caseName(receiptNumber: string, nickname: string | null | undefined): string {
  const masked = maskReceiptNumber(receiptNumber);
  const called = oneLine(nickname ?? '');
  return called === '' ? masked : `${called} (${masked})`;
}

export function bodiesOf(letter: Letter): Pick<Mail, 'text' | 'html'> {
  return { text: letterText(letter), html: letterHtml(letter) };
}

/** The domain of message ids: that of the sender's address. */
export function messageDomain(from: string): string {
  return /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}

export const NOT_ADVICE =
  'The explanation is general information, not legal advice. The notices you get from the agency always count more.';
export const UNOFFICIAL: readonly (string | Link)[] = [
  'Casewatch is an unofficial tool and is not affiliated with any government agency.',
  { label: 'For official information, visit the USCIS Case Status website', url: OFFICIAL_URL },
];
