import type { Subject } from './subject.ts';

/** A due e-mail with its content. */
export interface DueMail {
  readonly notificationId: string;
  readonly userId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
  readonly queuedAtMs: number;
  /** How often sending was begun, this time included. */
  readonly attempts: number;
  /** Whether the recipient wants e-mails about this. */
  readonly wanted: boolean;
}

/** Its e-mails are held until `leaseUntilMs`; then other processes may claim them. */
export interface DeliveryClaim {
  readonly leaseUntilMs: number;
}

/** What becomes of e-mails. Settling one that is no longer the claim's changes nothing. */
export interface DeliveryLog {
  /** Claims at most `limit` due e-mails, longest due first, for the time of the lease. */
  claim(how: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<DeliveryClaim & { readonly mails: readonly DueMail[] }>;
  markSent(claim: DeliveryClaim, notificationId: string, nowMs: number): Promise<void>;
  giveUp(claim: DeliveryClaim, notificationIds: readonly string[], reason: string): Promise<void>;
  skip(claim: DeliveryClaim, notificationIds: readonly string[], reason: string): Promise<void>;
  defer(
    claim: DeliveryClaim,
    notificationId: string,
    again: { nextMs: number; reason: string },
  ): Promise<void>;
  /** Due at once for every process; the attempt does not count. */
  release(claim: DeliveryClaim, notificationIds: readonly string[], nowMs: number): Promise<void>;
}
