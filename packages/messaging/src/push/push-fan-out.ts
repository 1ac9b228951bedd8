import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';

/**
 * Tells every process that listens that there is something new under a key, such as a user's id. It carries no
 * content: who hears of a key reads what is new in the database. A message may be lost or come twice.
 */
export interface PushFanOut {
  /** Listeners hear of the keys if, and not before, `tx` commits. */
  publish(tx: SqlExecutor, keys: readonly string[]): Promise<void>;
  listen(listener: PushListener): PushSubscription;
}

export interface PushListener {
  /** `traceparent`: the trace of whoever published, where there is one. */
  onKey(key: string, traceparent?: string): void;
  /** Messages may have been missed: look everywhere. Also called when listening begins. */
  onGap(): void;
}

export interface PushSubscription {
  stop(): Promise<void>;
}
