/** One e-mail, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets; the same each time the e-mail is tried, so that a repeat can be told. */
  readonly messageId: string;
  readonly date: Date;
  /** Where one POST stops the e-mails (RFC 8058). */
  readonly unsubscribeUrl: string;
}

/**
 * What came of a try. `reason` is a word for log and table: never what the server said, which names people.
 * - `sent`: the server has taken it.
 * - `refused`: it never will (5xx for this recipient or message).
 * - `put-off`: not now, for this recipient or message (4xx).
 * - `away`: nothing gets through for anybody: no connection, no answer, no sign-in.
 */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'put-off' | 'away'; readonly reason: string };

export interface Mailer {
  /** Resolves, whatever happens. Gives up when the signal aborts; the server may have taken it all the same. */
  send(mail: Mail, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** What an e-mail tells of. */
export interface Notice {
  readonly notificationId: string;
  readonly receiptNumber: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly createdAt: Date;
  /** What the user calls the case. */
  readonly nickname: string | undefined;
}

export interface Addressed {
  readonly to: string;
  readonly unsubscribeToken: string;
  readonly date: Date;
}

/** Writes the e-mail about one change. */
export type MailComposer = (notice: Notice, addressed: Addressed) => Mail;

/** What the link that stops e-mails proves: whom it was made for. */
export interface UnsubscribeTokens {
  issue(userId: string): string;
  /** The user whom the token was made for; undefined for every text that nobody here signed. */
  read(token: string): string | undefined;
}
