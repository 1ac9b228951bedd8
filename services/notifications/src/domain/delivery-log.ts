/** A due message, as far as every kind of message is alike. */
export interface DueDelivery {
  /** A repeat has the same. */
  readonly id: string;
  readonly queuedAtMs: number;
  /** How often sending was begun, this time included. */
  readonly attempts: number;
}

/** Its messages are held until `leaseUntilMs`; then other processes may claim them. */
export interface DeliveryClaim {
  readonly leaseUntilMs: number;
}

/** What becomes of messages. Settling one that is no longer the claim's changes nothing. */
export interface DeliveryLog<Due extends DueDelivery = DueDelivery> {
  /** Claims at most `limit` due messages, longest due first, for the time of the lease. */
  claim(how: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<DeliveryClaim & { readonly due: readonly Due[] }>;
  markSent(claim: DeliveryClaim, id: string, nowMs: number): Promise<void>;
  giveUp(claim: DeliveryClaim, ids: readonly string[], reason: string): Promise<void>;
  skip(claim: DeliveryClaim, ids: readonly string[], reason: string): Promise<void>;
  defer(claim: DeliveryClaim, id: string, again: { nextMs: number; reason: string }): Promise<void>;
  /** As if it had been queued for then, but looked at again at `nextMs`; the attempt does not count. `reason`: a word for the log. */
  postpone(
    claim: DeliveryClaim,
    ids: readonly string[],
    how: { untilMs: number; nextMs: number; reason?: string | undefined },
  ): Promise<void>;
  /** Due at once for every process; the attempt does not count. */
  release(claim: DeliveryClaim, ids: readonly string[], nowMs: number): Promise<void>;
}
