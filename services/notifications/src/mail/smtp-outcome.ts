import type { MailOutcome } from '../domain/mailer.ts';
import { enhancedCode, type Fault, faultOf } from './smtp-replies.ts';

/** The fields of nodemailer's errors (`NodemailerError`). */
interface SmtpFailure {
  /** `EENVELOPE`, `EMESSAGE`, `ECONNECTION`, … */
  code: string;
  /** The SMTP command that failed: `RCPT TO`, `DATA`, `CONN`, `API` (nothing yet). */
  command: string;
  /** The server's reply code; 0 without a reply. */
  reply: number;
  /** The server's reply, which names people. */
  text: string;
}

const KINDS = { recipient: 'refused', message: 'refused', later: 'deferred', sender: 'unavailable' } as const;

/**
 * Returns what a failure says about the e-mail: only what is about its recipient or its content ends it. What is about the
 * connection, our account or its quota would be the same for all.
 */
export function outcomeOf(error: unknown): MailOutcome {
  const { code, command, reply, text } = readFailure(error);
  if (reply < 400) {
    if (command === 'API' && code === 'EENVELOPE') return { kind: 'refused', reason: 'bad-address' };
    // Larger than the server has said that it accepts: it is not asked.
    if (command === 'MAIL FROM' && code === 'EMESSAGE') return { kind: 'refused', reason: 'too-large' };
    return { kind: 'unavailable', reason: reply > 0 ? `${code.toLowerCase()}-${reply}` : code.toLowerCase() };
  }
  const fault: Fault = faultOf({ command, code: reply, text });
  const enhanced = enhancedCode(text);
  const codes = enhanced === undefined ? `${reply}` : `${reply}-${enhanced}`;
  return {
    kind: KINDS[fault],
    reason: `${fault === 'sender' ? code.toLowerCase() : 'smtp'}-${codes}`,
    ...(fault === 'recipient' ? { means: 'no-such-address' as const } : {}),
  };
}

function readFailure(error: unknown): SmtpFailure {
  const fields = new Map<string, unknown>(
    typeof error === 'object' && error !== null ? entriesOf(error) : [],
  );
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  const reply = fields.get('responseCode');
  return {
    code: /^[A-Z][A-Z0-9_]{1,30}$/.test(text('code')) ? text('code') : 'EUNKNOWN',
    command: text('command'),
    reply: typeof reply === 'number' ? reply : 0,
    text: text('response'),
  };
}

function entriesOf(error: object): [string, unknown][] {
  return ['code', 'command', 'responseCode', 'response'].map((name) => [name, Reflect.get(error, name)]);
}
