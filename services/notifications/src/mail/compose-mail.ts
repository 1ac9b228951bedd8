import { NOTIFICATION_PAGE, UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import type { MailComposer } from '../domain/mailer.ts';

export const UTC = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const OFFICIAL_URL = 'https://egov.uscis.gov/';

/**
 * The e-mail about one change. Receipt numbers are masked: e-mail is read on lock screens and kept by strangers;
 * so the link names the notification, which leads its owner to the case. What
 * people and the agency wrote becomes one line each, and in HTML nothing but text.
 * The domain of the message id is that of `from`, the rest the notification's id.
 */
export function createMailComposer({ from, publicUrl }: { from: string; publicUrl: string }): MailComposer {
  const domain = messageDomain(from);

  return (notice, { to, unsubscribeToken, date }) => {
    const token = encodeURIComponent(unsubscribeToken);
    const stopUrl = new URL(`${UNSUBSCRIBE_PAGE}#${token}`, publicUrl).href;
    const caseUrl = new URL(`${NOTIFICATION_PAGE}/${notice.notificationId}`, publicUrl).href;
    const masked = maskReceiptNumber(notice.receiptNumber);
    const nickname = oneLine(notice.nickname ?? '');
    const name = nickname === '' ? masked : `${nickname} (${masked})`;
    const facts: Fact[] = [
      ['New status', oneLine(notice.newStatus)],
      ...(notice.oldStatus === null ? [] : [['Old status', oneLine(notice.oldStatus)] as const]),
      ['Noticed', `${UTC.format(notice.createdAt)} UTC`],
    ];
    const parts = { name, facts, caseUrl, stopUrl };
    return {
      to,
      subject: `Case update: ${name}`,
      text: asText(parts),
      html: asHtml(parts),
      messageId: `<${notice.notificationId}.status-changed@${domain}>`,
      date,
      unsubscribeUrl: new URL(`${unsubscribe.path}?token=${token}`, publicUrl).href,
    };
  };
}

/** The domain of message ids: that of the sender's address. */
export function messageDomain(from: string): string {
  return /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}

type Fact = readonly [label: string, value: string];

interface Parts {
  name: string;
  facts: readonly Fact[];
  caseUrl: string;
  stopUrl: string;
}

const UNOFFICIAL =
  'Casewatch is an unofficial tool and is not affiliated with any government agency. For official information, visit the USCIS Case Status website';

function asText({ name, facts, caseUrl, stopUrl }: Parts): string {
  return [
    `The status of your case ${name} has changed.`,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    `See it in Casewatch: ${caseUrl}`,
    '-- ',
    `${UNOFFICIAL}: ${OFFICIAL_URL}`,
    `You get this e-mail because you watch this case. Stop these e-mails: ${stopUrl}`,
  ].join('\n\n');
}

function asHtml({ name, facts, caseUrl, stopUrl }: Parts): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" style="text-align:left;padding:2px 12px 2px 0">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    '<title>Case update</title></head><body style="font-family:sans-serif;line-height:1.5">',
    `<p>The status of your case <strong>${escapeHtml(name)}</strong> has changed.</p>`,
    `<table>${rows.join('')}</table>`,
    `<p><a href="${escapeHtml(caseUrl)}">See it in Casewatch</a></p><hr>`,
    `<p style="font-size:smaller">${UNOFFICIAL}: <a href="${OFFICIAL_URL}">${OFFICIAL_URL}</a></p>`,
    '<p style="font-size:smaller">You get this e-mail because you watch this case. ',
    `<a href="${escapeHtml(stopUrl)}">Stop these e-mails</a></p></body></html>`,
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
