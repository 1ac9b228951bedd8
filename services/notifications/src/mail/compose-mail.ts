import { NOTIFICATION_PAGE, UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { planWords } from '@casewatch/contracts/plan-words';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { MailComposer } from '../domain/mailer.ts';

export const UTC = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const OFFICIAL_URL = 'https://egov.uscis.gov/';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Writes the e-mail of a notification. Receipt numbers are masked: e-mail is read on lock screens and kept by strangers;
 * so the link names the notification, which leads its owner to the case. What
 * people and the agency wrote becomes one line each, and in HTML nothing but text.
 * The domain of the message id is that of `from`, the rest the notification's id.
 */
export function createMailComposer({ from, publicUrl }: { from: string; publicUrl: string }): MailComposer {
  const domain = messageDomain(from);
  const urlOf = (path: string) => new URL(path, publicUrl).href;

  return ({ notificationId, subject, createdAt, nickname }, { to, unsubscribeToken, date }) => {
    if (subject.kind === 'plan') {
      const { title, text, action } = planWords(subject, DAY.format(subject.effectiveAt));
      const parts: Parts = {
        title,
        before: text,
        name: '',
        after: '',
        facts: [],
        link: { label: action.label, url: urlOf(action.path) },
        why: 'You get this e-mail because it is about your Casewatch plan.',
        stopUrl: undefined,
      };
      return {
        to,
        subject: `Casewatch: ${title}`,
        text: asText(parts),
        html: asHtml(parts),
        messageId: `<${notificationId}.plan-milestone-reached@${domain}>`,
        date,
      };
    }
    const token = encodeURIComponent(unsubscribeToken);
    const masked = maskReceiptNumber(subject.receiptNumber);
    const called = oneLine(nickname ?? '');
    const name = called === '' ? masked : `${called} (${masked})`;
    const parts: Parts = {
      title: 'Case update',
      before: 'The status of your case ',
      name,
      after: ' has changed.',
      facts: [
        ['New status', oneLine(subject.newStatus)],
        ...(subject.oldStatus === null ? [] : [['Old status', oneLine(subject.oldStatus)] as const]),
        ['Noticed', `${UTC.format(createdAt)} UTC`],
      ],
      link: { label: 'See it in Casewatch', url: urlOf(`${NOTIFICATION_PAGE}/${notificationId}`) },
      why: 'You get this e-mail because you watch this case.',
      stopUrl: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`),
    };
    return {
      to,
      subject: `Case update: ${name}`,
      text: asText(parts),
      html: asHtml(parts),
      messageId: `<${notificationId}.status-changed@${domain}>`,
      date,
      unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
    };
  };
}

/** The domain of message ids: that of the sender's address. */
export function messageDomain(from: string): string {
  return /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}

type Fact = readonly [label: string, value: string];

interface Parts {
  title: string;
  /** The first paragraph, around the name of a case. */
  before: string;
  name: string;
  after: string;
  facts: readonly Fact[];
  link: { label: string; url: string };
  /** Why the recipient gets it. */
  why: string;
  stopUrl: string | undefined;
}

const UNOFFICIAL =
  'Casewatch is an unofficial tool and is not affiliated with any government agency. For official information, visit the USCIS Case Status website';

function asText({ before, name, after, facts, link, why, stopUrl }: Parts): string {
  return [
    `${before}${name}${after}`,
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    `${link.label}: ${link.url}`,
    '-- ',
    `${UNOFFICIAL}: ${OFFICIAL_URL}`,
    stopUrl === undefined ? why : `${why} Stop these e-mails: ${stopUrl}`,
  ].join('\n\n');
}

function asHtml({ title, before, name, after, facts, link, why, stopUrl }: Parts): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" style="text-align:left;padding:2px 12px 2px 0">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const strong = name === '' ? '' : `<strong>${escapeHtml(name)}</strong>`;
  const stop = stopUrl === undefined ? '' : ` <a href="${escapeHtml(stopUrl)}">Stop these e-mails</a>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head><body style="font-family:sans-serif;line-height:1.5">`,
    `<p>${escapeHtml(before)}${strong}${escapeHtml(after)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p><hr>`,
    `<p style="font-size:smaller">${UNOFFICIAL}: <a href="${OFFICIAL_URL}">${OFFICIAL_URL}</a></p>`,
    `<p style="font-size:smaller">${why}${stop}</p></body></html>`,
  ].join('\n');
}

/** Line breaks, other controls, and what turns the direction of the text around it. */
const DISTURBING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text that stays one line, and within its place on it. */
export function oneLine(text: string): string {
  return text.replace(DISTURBING, ' ').replace(/ {2,}/g, ' ').trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML that shows it, between tags or within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
