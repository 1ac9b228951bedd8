/** How events are delivered to a consumer group. */
export interface DeliveryPolicy {
  /** Handlers of a group that run side by side, each on a connection of its own. */
  readonly concurrency: number;
  /** Most events that a batch handler gets at once. */
  readonly batchSize: number;
  /** Delays between the attempts of a failing event: one attempt more than delays, then the dead letters. */
  readonly retryDelaysMs: readonly number[];
  /** Backoff while a dependency of the handler is unavailable: doubled from the first to the maximum, without limit. */
  readonly firstPauseMs: number;
  readonly maximumPauseMs: number;
}

/** Five attempts within 7 s. */
export const defaultPolicy: DeliveryPolicy = {
  concurrency: 4,
  batchSize: 100,
  retryDelaysMs: [100, 400, 1_500, 5_000],
  firstPauseMs: 100,
  maximumPauseMs: 5_000,
};
