import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

interface KeptMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** As its header says; English without one. */
  readonly language: string;
  readonly receivedAt: Date;
}

const KEPT = 200;
const LOOPBACK = '127.0.0.1';
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Starts a mail server that keeps e-mails in memory and delivers none, and a page that shows them, both on loopback; the page on `port`,
 * 0 takes a free one.
 */
export async function startMailbox(port: number) {
  const mails: KeptMail[] = [];
  const smtp = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, answer) {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      keep(to, stream).then(() => answer(), answer);
    },
  });
  async function keep(to: string, stream: AsyncIterable<Buffer | string>): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    const { subject = '', text = '', html = '', headers } = await PostalMime.parse(Buffer.concat(chunks));
    const language = headers.find(({ key }) => key === 'content-language')?.value ?? 'en';
    mails.unshift({ to, subject, text, html, language, receivedAt: new Date() });
    mails.length = Math.min(mails.length, KEPT);
  }
  // A client that disconnects in the middle is not an error of the server.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(0, LOOPBACK);
  await once(listening, 'listening');

  const page = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('Cache-Control', 'no-store');
    res.end(pageOf(mails));
  }).listen(port, LOOPBACK);
  await once(page, 'listening');
  return {
    /** Settings that lead the notifications service to it. */
    env: {
      SMTP_URL: `smtp://${LOOPBACK}:${portOf(listening.address())}`,
      MAIL_FROM: 'Casewatch <notices@casewatch.test>',
    },
    url: `http://${LOOPBACK}:${portOf(page.address())}`,
    async stop(): Promise<void> {
      page.close();
      page.closeAllConnections();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the mailbox has no port');
  return address.port;
}

function pageOf(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ to, subject, text, html, language, receivedAt }) =>
      `<article><h2 lang="${escapeHtml(language)}">${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}, ${receivedAt.toISOString()}</p>${framed(html, subject)}<details${html === '' ? ' open' : ''}><summary>As text</summary><pre lang="${escapeHtml(language)}">${linked(text)}</pre></details></article>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox</title>',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    '<style>body{max-width:45rem;margin:2rem auto;padding:0 1rem;font-family:sans-serif;line-height:1.5;background:light-dark(#fff,#121212);color:light-dark(#1a1a1a,#eee)}a{color:light-dark(#0b5d57,#8fd6cd)}',
    'article{border-top:1px solid;padding:1rem 0}h2{margin:0;font-size:1.1rem}iframe{width:100%;height:36rem;border:1px solid;border-radius:6px;color-scheme:light dark}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>',
    '</head><body><main><h1>Mailbox</h1><p>Every email of this Casewatch, newest first; none is delivered. Reload for new ones.</p>',
    ...(items.length > 0 ? items : ['<p>No emails yet.</p>']),
    '</main></body></html>',
  ].join('\n');
}

/** The HTML part as a mail program shows it: no scripts, and links open in a tab of their own. */
function framed(html: string, subject: string): string {
  if (html === '') return '';
  const page = escapeHtml(`<base target="_blank">${html}`);
  return `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${escapeHtml(subject)}" srcdoc="${page}"></iframe>`;
}

/** The text as HTML, its web addresses as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, nth) => {
      const shown = escapeHtml(part);
      return nth % 2 === 1 ? `<a href="${shown}">${shown}</a>` : shown;
    })
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
