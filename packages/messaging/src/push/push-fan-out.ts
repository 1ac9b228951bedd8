import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Notifies every listening process of changes under a key, such as a user's id. A message carries no content:
 * listeners read the changes from the database. A message may be lost or delivered twice.
 */
export interface PushFanOut {
  /** Delivers the keys if, and not before, `tx` commits. */
  publish(tx: SqlExecutor, keys: readonly string[]): Promise<void>;
  listen(listener: PushListener): PushSubscription;
}

export interface PushListener {
  /** `traceparent`: the publisher's trace, if any. */
  onKey(key: string, traceparent?: string): void;
  /** Messages may have been missed: every key may have changed. Also called when listening begins. */
  onGap(): void;
}

export interface PushSubscription {
  stop(): Promise<void>;
}
