import type { EventMeta } from './event-bus.ts';

/** An event as stored in an outbox, sent through a broker and stored in the dead letters. */
export interface EventRecord {
  /** CloudEvents id. */
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  /** ProtoJSON, not yet validated; text that is not JSON stays text. */
  readonly payload: unknown;
  readonly headers: EventHeaders;
}

/** CloudEvents 1.0 in binary mode (Kafka protocol binding) and W3C Trace Context. */
export type EventHeaders = Readonly<Record<string, string>>;

export function metaOf({ id, headers }: EventRecord): EventMeta {
  return { id, timeMs: Date.parse(headers.ce_time ?? ''), traceparent: headers.traceparent };
}
