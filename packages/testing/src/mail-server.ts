import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export interface ReceivedMail {
  /** As the envelope says. */
  readonly to: string;
  /** Every byte, as one text of Latin-1. */
  readonly raw: string;
  readonly parsed: Email;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface MailAccount {
  readonly user: string;
  readonly password: string;
}

export interface MailServerOptions {
  /** Offers STARTTLS with this; without it there is no TLS. */
  certificate?: { key: string; cert: string };
  /** The account that may send; without it, every client may. */
  account?: MailAccount;
}

/** What the server answers to a recipient or a message instead of taking it: an SMTP reply code, or the whole reply. */
export type Refusal = (to: string) => number | string | undefined;

/** The steps before a recipient, at which the server can refuse its client. */
export type EarlyStep = 'connect' | 'sign-in' | 'sender';

/**
 * Starts a real SMTP server on loopback that keeps what it gets. What it has taken stays taken, whether or not the sender
 * gets to know it.
 */
export async function startMailServer({ certificate, account }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  let atRecipient: Refusal = () => undefined;
  let atMessage: Refusal = () => undefined;
  const early = new Map<EarlyStep, string>();
  let accounts = account ? [account] : [];
  let gate: Promise<void> | undefined;
  let open = 0;
  let mostOpen = 0;

  const server = new SMTPServer({
    logger: false,
    // Only what a refusal says itself.
    hideENHANCEDSTATUSCODES: true,
    authOptional: account === undefined,
    disabledCommands: certificate ? [] : ['STARTTLS'],
    // A client without TLS is refused a password only where there is TLS.
    ...(certificate ?? { allowInsecureAuth: true }),
    onAuth({ username, password }, _session, answer) {
      const known = accounts.some((one) => one.user === username && one.password === password);
      const refusal = early.get('sign-in');
      if (known && refusal === undefined) answer(null, { user: username ?? '' });
      else answer(replyWith(refusal ?? 535));
    },
    onConnect(_session, answer) {
      open++;
      mostOpen = Math.max(mostOpen, open);
      answer(refusalAt('connect'));
    },
    onMailFrom(_address, _session, answer) {
      answer(refusalAt('sender'));
    },
    onClose() {
      open--;
    },
    onRcptTo({ address }, _session, answer) {
      const refusal = atRecipient(address);
      // Servers name the recipient in their refusals.
      answer(refusal === undefined ? null : replyWith(refusal, `<${address}>: not here`));
    },
    onData(stream, session, answer) {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      const user = typeof session.user === 'string' ? session.user : undefined;
      take(stream, { to, secure: session.secure, user }).then((refusal) => {
        answer(refusal === undefined ? null : replyWith(refusal, `<${to}>: not this`));
      }, answer);
    },
  });

  function refusalAt(step: EarlyStep): Error | null {
    const refusal = early.get(step);
    return refusal === undefined ? null : replyWith(refusal);
  }

  async function take(
    stream: SMTPServerDataStream,
    about: Pick<ReceivedMail, 'to' | 'secure' | 'user'>,
  ): Promise<number | string | undefined> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    const refusal = atMessage(about.to);
    if (refusal !== undefined) return refusal;
    const raw = Buffer.concat(chunks);
    mails.push({ ...about, raw: raw.toString('latin1'), parsed: await PostalMime.parse(raw) });
    await gate;
    return undefined;
  }

  // A client that disconnects in the middle is not an error of the server.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');

  return {
    port: address.port,
    mails: (): readonly ReceivedMail[] => mails,
    to: (recipient: string) => mails.filter(({ to }) => to === recipient),
    mostConnections: () => mostOpen,
    /** Signs in these accounts and no others from now on; sessions that are open stay signed in. */
    acceptAccounts(...accepted: readonly MailAccount[]) {
      accounts = [...accepted];
    },
    /** Answers this at a step before any recipient; without a reply the step is as usual again. */
    refuseAt(step: EarlyStep, reply?: string) {
      if (reply === undefined) early.delete(step);
      else early.set(step, reply);
    },
    refuseRecipients(refusal: Refusal) {
      atRecipient = refusal;
    },
    refuseMessages(refusal: Refusal) {
      atMessage = refusal;
    },
    /** Messages are accepted, and not acknowledged until the function that this returns is called. */
    keepSilent(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

function replyWith(refusal: number | string, text = 'no'): Error {
  const [, code = '', rest = ''] = typeof refusal === 'string' ? (/^(\d{3}) (.*)$/.exec(refusal) ?? []) : [];
  if (typeof refusal === 'number') return Object.assign(new Error(text), { responseCode: refusal });
  return Object.assign(new Error(rest), { responseCode: Number(code) });
}
