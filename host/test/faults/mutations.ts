import type { Mutation } from '@casewatch/testing/mutation';

/** The mechanisms that the delivery promises rest on, each removed. */

/** Every statement commits by itself, and in monitoring long goes by between the inbox and the effect. */
export const WITHOUT_THE_TRANSACTION: readonly Mutation[] = [
  {
    file: 'service-kit/src/database/transaction.ts',
    find: "await client.query('BEGIN');",
    replace: '',
  },
  {
    file: 'messaging/src/group-handlers.ts',
    find: 'const fresh = await claim(tx, group, ids, clock.nowMs());',
    replace:
      "const fresh = await claim(tx, group, ids, clock.nowMs()); if (group === 'monitoring') await clock.sleep(20_000);",
  },
];

/** Neither the inbox nor the notification's own id, the second line of defence, shows what was handled before. */
export const WITHOUT_THE_INBOX: readonly Mutation[] = [
  {
    file: 'messaging/src/inbox.ts',
    find: 'return new Set(rows.map((row) => row.event_id));',
    replace: 'return new Set(eventIds);',
  },
  {
    file: 'notifications/src/domain/retention.ts',
    find: 'eventId: meta.id',
    replace: 'eventId: crypto.randomUUID()',
  },
];

/** So that a kill surely comes between an effect and the commit of its offset. */
export const OFFSETS_COMMITTED_LATE: readonly Mutation[] = [
  {
    file: 'messaging/src/kafka/kafka-group.ts',
    find: 'const COMMIT_EVERY_MS = 100;',
    replace: 'const COMMIT_EVERY_MS = 2_000;',
  },
];

/** What a process that died had claimed is not due again for months. */
export const WITHOUT_THE_LEASE: readonly Mutation[] = [
  {
    file: 'monitoring/src/domain/check-due-watches.ts',
    find: 'const claim = await store.claim({ leaseMs, limit });',
    replace: 'const claim = await store.claim({ leaseMs: leaseMs * 1e6, limit });',
  },
];

/** Committed events are never dispatched: a process in this state is one that was stopped before it could publish. */
export const BEFORE_PUBLISHING: readonly Mutation[] = [
  {
    file: 'messaging/src/relay-lanes.ts',
    find: 'if (lane.add(row)) dispatch(row, lane);',
    replace: 'void row;',
  },
];

/** A relay that loads on hints only: neither when it becomes active nor by polling. */
export const WITHOUT_THE_POLL: readonly Mutation[] = [
  {
    file: 'messaging/src/outbox-relay.ts',
    find: 'if (this.#active && !before) this.#mustLoad = true;',
    replace: '',
  },
  {
    file: 'messaging/src/outbox-relay.ts',
    find: 'if (this.#delay.hint()) this.#signal.notify();',
    replace: 'if (this.#delay.hint()) { this.#mustLoad = true; this.#signal.notify(); }',
  },
  {
    file: 'messaging/src/outbox-relay.ts',
    find: 'if (this.#active && (this.#mustLoad || this.#delay.isOver() || lanes.canLoad())) {',
    replace: 'if (this.#active && (this.#mustLoad || lanes.canLoad())) {',
  },
];

/** What fails is tried again for ever. */
export const WITHOUT_DEAD_LETTERS: readonly Mutation[] = [
  {
    file: 'messaging/src/delivery-attempts.ts',
    find: 'if (delayMs === undefined || error instanceof EventFormatError) return deadLetter(delivery, error);',
    replace: 'if (delayMs === undefined) return [{ retryInMs: 1_000 }];',
  },
];

/** Events that could not be sent count as sent. */
export const GIVES_UP_SENDING: readonly Mutation[] = [
  {
    file: 'messaging/src/kafka/kafka-sender.ts',
    find: 'topics.forget([...messages.keys()]);',
    replace: 'for (const { resolve } of batch) resolve(); return;',
  },
  // The client itself tries again for some ten seconds; here the outage is shorter.
  {
    file: 'messaging/src/kafka/kafka-sender.ts',
    find: 'retry: { retries: 3, initialRetryTime: 50, maxRetryTime: 500 }',
    replace: 'retry: { retries: 0 }',
  },
  {
    file: 'messaging/src/kafka/kafka-client.ts',
    find: 'retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 }',
    replace: 'retry: { retries: 0 }',
  },
];

/** An unavailable dependency is reported as a defect. */
export const TELLS_OF_A_DEFECT: readonly Mutation[] = [
  {
    file: 'service-kit/src/http/error-middleware.ts',
    find: 'if (!isUnavailable(error)) return',
    replace: 'if (true) return',
  },
];

/** A process ends at once on SIGTERM. */
export const WITHOUT_LEAVING: readonly Mutation[] = [
  {
    file: 'host/src/product.ts',
    find: 'leaving = true;',
    replace: 'process.exit(0);',
  },
];

/** A stream always begins with what comes next, whatever its reader has seen. */
export const WITHOUT_THE_RESUME_POINT: readonly Mutation[] = [
  {
    file: 'notifications/src/domain/resume-point.ts',
    find: 'if (!lastEventId) return',
    replace: 'return',
  },
];
