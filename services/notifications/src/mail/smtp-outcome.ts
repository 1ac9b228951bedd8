import type { Outcome } from '../domain/send-due-deliveries.ts';

/** The fields of nodemailer's errors (`NodemailerError`). */
interface SmtpFailure {
  /** `EENVELOPE`, `EMESSAGE`, `ECONNECTION`, … */
  code: string;
  /** The SMTP command that failed: `RCPT TO`, `DATA`, `CONN`, `API` (nothing yet). */
  command: string;
  /** The server's reply code; 0 without a reply. */
  reply: number;
}

/** "Service not available, closing transmission channel" (RFC 5321, 4.2.3): about the server, not the e-mail. */
const CLOSING = 421;
/** "Bad sequence of commands": the session was in a wrong state; the same e-mail can go through on another. */
const BAD_SEQUENCE = 503;

/**
 * Returns what a failure says about the e-mail. Only a reply to its recipient or its content is about the e-mail; one to the
 * greeting, the sign-in or our own sender would be the same for all.
 */
export function outcomeOf(error: unknown): Outcome {
  const { code, command, reply } = readFailure(error);
  const aboutThis = command === 'RCPT TO' || command === 'DATA';
  if (command === 'API' && code === 'EENVELOPE') return { kind: 'refused', reason: 'bad-address' };
  if (!aboutThis || reply < 400 || reply === CLOSING || reply === BAD_SEQUENCE) {
    return { kind: 'unavailable', reason: reply > 0 ? `${code.toLowerCase()}-${reply}` : code.toLowerCase() };
  }
  return { kind: reply >= 500 ? 'refused' : 'deferred', reason: `smtp-${reply}` };
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
  };
}

function entriesOf(error: object): [string, unknown][] {
  return ['code', 'command', 'responseCode'].map((name) => [name, Reflect.get(error, name)]);
}
