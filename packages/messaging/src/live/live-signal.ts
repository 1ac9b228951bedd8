import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Notifies every listening process of changes under a key, such as a user's id. A message carries no content:
 * listeners read the changes from the database. A message may be lost or delivered twice. An adapter delivers with one
 * of the first two calls, never before the commit; a publisher makes both.
 */
export interface LiveSignal {
  /** Within the transaction of the changes. */
  publish(tx: SqlExecutor, keys: readonly string[]): Promise<void>;
  /** After its commit; again, when a process may have ended in between. Does not wait. */
  committed(keys: readonly string[]): void;
  listen(listener: SignalListener): SignalSubscription;
}

export interface SignalListener {
  /** `traceparent`: the publisher's trace, if any. */
  onKey(key: string, traceparent?: string): void;
  /** Messages may have been missed: every key may have changed. Also called when listening begins. */
  onGap(): void;
}

export interface SignalSubscription {
  stop(): Promise<void>;
}
