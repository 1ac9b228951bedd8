/** An e-mail that is due, with what it is to tell. */
export interface DueMail {
  readonly notificationId: string;
  readonly userId: string;
  readonly receiptNumber: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly createdAt: Date;
  readonly queuedAtMs: number;
  /** How often sending was begun, this time included. */
  readonly attempts: number;
  /** Whether the recipient wants e-mails. */
  readonly wanted: boolean;
}

/** Whoever holds it settles its e-mails until `leaseUntilMs`; then they are due for anybody. */
export interface DeliveryClaim {
  readonly leaseUntilMs: number;
}

/** What becomes of e-mails. Settling one that is no longer the claim's changes nothing. */
export interface DeliveryLog {
  /** At most `limit` e-mails that are due, longest due first; nobody else gets them while the lease lasts. */
  claim(how: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<DeliveryClaim & { readonly mails: readonly DueMail[] }>;
  markSent(claim: DeliveryClaim, notificationId: string, nowMs: number): Promise<void>;
  giveUp(claim: DeliveryClaim, notificationIds: readonly string[], reason: string): Promise<void>;
  skip(claim: DeliveryClaim, notificationIds: readonly string[], reason: string): Promise<void>;
  putOff(
    claim: DeliveryClaim,
    notificationId: string,
    again: { nextMs: number; reason: string },
  ): Promise<void>;
  /** Due at once, for anybody; the attempt does not count. */
  release(claim: DeliveryClaim, notificationIds: readonly string[], nowMs: number): Promise<void>;
}
