/** A due e-mail, as far as every kind of e-mail is alike. */
export interface DueDelivery {
  /** Of the notification, or of the e-mail about an account; a repeat of the e-mail has the same. */
  readonly id: string;
  readonly queuedAtMs: number;
  /** How often sending was begun, this time included. */
  readonly attempts: number;
}

/** A due e-mail about a status change, with its content. */
export interface DueMail extends DueDelivery {
  readonly userId: string;
  readonly receiptNumber: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly createdAt: Date;
  /** Whether the recipient wants e-mails. */
  readonly wanted: boolean;
}

/** Its e-mails are held until `leaseUntilMs`; then other processes may claim them. */
export interface DeliveryClaim {
  readonly leaseUntilMs: number;
}

/** What becomes of e-mails. Settling one that is no longer the claim's changes nothing. */
export interface DeliveryLog<Mail extends DueDelivery = DueMail> {
  /** Claims at most `limit` due e-mails, longest due first, for the time of the lease. */
  claim(how: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<DeliveryClaim & { readonly mails: readonly Mail[] }>;
  markSent(claim: DeliveryClaim, id: string, nowMs: number): Promise<void>;
  giveUp(claim: DeliveryClaim, ids: readonly string[], reason: string): Promise<void>;
  skip(claim: DeliveryClaim, ids: readonly string[], reason: string): Promise<void>;
  defer(claim: DeliveryClaim, id: string, again: { nextMs: number; reason: string }): Promise<void>;
  /** Due at once for every process; the attempt does not count. */
  release(claim: DeliveryClaim, ids: readonly string[], nowMs: number): Promise<void>;
}
