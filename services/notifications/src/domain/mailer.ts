import type { Language } from '@casewatch/contracts/languages';
import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { AgencySpanish } from '@casewatch/contracts/status-names';
import type { Outcome, Sender } from './send-due-deliveries.ts';
import type { Subject } from './subject.ts';

/** One e-mail, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets; the same for each attempt, so that repeats can be detected. */
  readonly messageId: string;
  readonly date: Date;
  /** Where one POST stops such e-mails (RFC 8058); none for those about an account or a plan, which can't be stopped. */
  readonly unsubscribeUrl?: string;
  /** An e-mail to the address may have been refused for good: that this one is accepted is reported. */
  readonly mayBeRefused?: true;
}

/** `no-such-address`: the server says that the address does not exist, or accepts no mail any more. */
export type MailOutcome = Outcome & { readonly means?: 'no-such-address' };

export interface Mailer extends Sender<Mail> {
  send(mail: Mail, signal: AbortSignal): Promise<MailOutcome>;
}

/** The subject of an e-mail. */
export interface Notice {
  readonly notificationId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
  /** Of the case, where a newer change is known than this one. */
  readonly newerStatus?: string | undefined;
  /** Of the recipient, as chosen; null: none is, UTC counts. */
  readonly timeZone: string | null;
  /** What the user calls the case that it is about. */
  readonly nickname: string | undefined;
  /** Of that case, like "I-130"; undefined when it is not known. */
  readonly formType: string | undefined;
  /** What the agency calls that case's last known status in Spanish. */
  readonly own?: AgencySpanish | undefined;
}

export interface Addressed {
  readonly to: string;
  /** That of the account, as identity answers it. */
  readonly language: Language;
  readonly unsubscribeToken: string;
  readonly date: Date;
}

/** Writes the e-mail of one notification. */
export type MailComposer = (notice: Notice, addressed: Addressed) => Mail;

/** The token of the link that stops e-mails of a kind: it proves that its user got it at an address. */
export interface UnsubscribeTokens {
  issue(to: { userId: string; email: string }, kind: StoppableMail): string;
  /** Returns whose e-mails of which kind it stops; undefined for a text without a valid signature. */
  read(token: string): Unsubscription | undefined;
}

export interface Unsubscription {
  readonly userId: string;
  readonly kind: StoppableMail;
  /** Whether the e-mail with the token went to this address, in any case. */
  isFor(email: string): boolean;
}
