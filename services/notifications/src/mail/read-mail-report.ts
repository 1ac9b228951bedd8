import type { Attachment } from 'postal-mime';
import type { MailReport } from '../domain/mail-report.ts';
import { enhancedCode, faultOf } from './smtp-replies.ts';

type Fields = ReadonlyMap<string, string>;

/** The report of qmail (QSBMF), which is plain text: the address, the reason, and the e-mail. */
const QMAIL =
  /^Hi\. This is the[^<]*\n<([^<>\s]+)>:[ \t]*\n(.*?)\n--- Below this line is a copy[^\n]*\n(.*)$/s;
const OTHER: MailReport = { kind: 'other' };
/** Of complaints (RFC 5965); the other types report no wish of the recipient. */
const COMPLAINTS = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];
const RETURNED = ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers'];

/**
 * Reads a message that arrived where e-mails come from: a delivery status notification (RFC 3464, RFC 6533) or a complaint (RFC 5965).
 * Anything else, such as an answer, an absence notice, or a report of a delay, of a delivery or of a failure that is not about the
 * address, is `other`.
 */
export async function readMailReport(raw: Uint8Array): Promise<MailReport> {
  const { default: PostalMime } = await import('postal-mime');
  const headersOf = async (text: string): Promise<Fields> =>
    new Map((await PostalMime.parse(`${text.trim()}\r\n\r\n`)).headers.map(({ key, value }) => [key, value]));
  let parts: readonly Attachment[];
  let headers: Fields;
  let body: string;
  try {
    const message = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' });
    parts = message.attachments;
    headers = new Map(message.headers.map(({ key, value }) => [key, value]));
    body = message.text ?? '';
  } catch {
    // Nested deeper than any report.
    return OTHER;
  }
  const textOf = (...types: string[]) => {
    const part = parts.find(({ mimeType }) => types.includes(mimeType.toLowerCase()));
    return typeof part?.content === 'string' ? part.content : undefined;
  };
  const [, qmailAddress, qmailReason = '', qmailReturned] = QMAIL.exec(body) ?? [];
  const returned = await headersOf(headOf(qmailReturned ?? textOf(...RETURNED) ?? ''));

  const feedback = textOf('message/feedback-report');
  if (feedback !== undefined) {
    const type = (await headersOf(feedback)).get('feedback-type')?.trim().toLowerCase() ?? '';
    if (!COMPLAINTS.includes(type)) return OTHER;
    const links = returned.get('list-unsubscribe') ?? '';
    const tokens = [...links.matchAll(/[?&]token=([^&>\s]+)/g)].map(([, token = '']) => token);
    return { kind: 'complaint', stopTokens: tokens };
  }

  const status = textOf('message/delivery-status', 'message/global-delivery-status') ?? '';
  const groups = await Promise.all(status.split(/\r?\n[ \t]*\r?\n/).map(headersOf));
  if (qmailAddress !== undefined)
    groups.push(
      new Map([
        ['action', 'failed'],
        ['final-recipient', qmailAddress],
        ['diagnostic-code', qmailReason],
      ]),
    );
  const refused = groups.filter(isRefused);
  if (refused.length === 0) return OTHER;
  const addresses = [
    ...refused.flatMap((group) => [group.get('original-recipient'), group.get('final-recipient')]),
    // The address may forward to the one that refuses.
    returned.get('to'),
  ].flatMap((value) => addressesIn(value ?? ''));
  const ids = [
    returned.get('message-id'),
    headers.get('in-reply-to'),
    headers.get('references'),
    ...groups.flatMap((group) => [group.get('x-original-message-id'), group.get('x-originalmessageid')]),
  ];
  const messageIds = ids.flatMap((value) => value?.match(/<[^<>\s]+>/g) ?? []);
  return { kind: 'refused', addresses, messageIds };
}

/** Whether the group of a recipient says that its address accepts no mail; what is said only for now is not for good. */
function isRefused(group: Fields): boolean {
  if (!/^\s*failed\b/i.test(group.get('action') ?? 'failed')) return false;
  const said = `${group.get('status') ?? ''} ${group.get('diagnostic-code') ?? ''}`;
  const [status] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(said) ?? [];
  if (!status?.startsWith('5')) return false;
  const diagnostic = (group.get('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;\s*/, '');
  const [, code = '550', words = ''] = /^(?:(\d{3})(?:[ -]|$))?(.*)$/s.exec(diagnostic) ?? [];
  // Exim and others say 5.0.0 of everything, and only the server's reply says more.
  const isVague = /^5\.\d+\.0$/.test(status);
  const own = enhancedCode(`${code} ${words}`);
  const text =
    isVague || own === status ? words : `${status} ${words.replace(/^[245]\.\d{1,3}\.\d{1,3}\b/, '')}`;
  return faultOf({ command: 'RCPT TO', code: Number(code), text: `${code} ${text}` }) === 'recipient';
}

function headOf(text: string): string {
  return /^[\s\S]*?(?=\r?\n\r?\n)/.exec(text.trimStart())?.[0] ?? text;
}

/** Returns the addresses, and what they are with the escapes of RFC 3461 undone. */
function addressesIn(value: string): string[] {
  return (value.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []).flatMap((address) => [
    address,
    address.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  ]);
}
