import { noTelemetry, type Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { isSampled, TRACEPARENT_HEADER } from '@casewatch/service-kit/telemetry/tracing';
import type { EventRecord } from './event-record.ts';

export type HandledOutcome = 'applied' | 'duplicate' | 'retried' | 'dead';

/** Metrics and traces of the event bus. */
export interface EventTelemetry {
  /**
   * Runs the dispatch of an event by its relay, and counts it when it succeeds. In a sampled trace the dispatch is a span
   * of its own, which the dispatched event names as its parent.
   */
  publishing<Row extends EventRecord>(event: Row, send: (event: Row) => Promise<void>): Promise<void>;
  /** A count of 0 creates the series before the outcome first occurs, so that a rate has a start. */
  handled(group: string, topic: string, outcome: HandledOutcome, count: number): void;
  /** Runs the handling of events of one topic, measuring its duration, as a part of the events' trace. */
  handling<T>(group: string, events: readonly EventRecord[], work: () => Promise<T>): Promise<T>;
}

const HANDLING_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `system`: what carries the events, by its name in OpenTelemetry's semantic conventions for messaging. */
export function createEventTelemetry(
  { meter, tracing }: Telemetry,
  system: 'kafka' | 'postgresql' = 'postgresql',
): EventTelemetry {
  const published = meter.createCounter('casewatch_events_published_total', {
    description: 'Events that a relay has dispatched successfully.',
  });
  const handled = meter.createCounter('casewatch_events_handled_total', {
    description:
      'Events by outcome: applied, duplicate (handled before), retried (failed, to be retried), dead (stored as a dead letter).',
  });
  const seconds = meter.createHistogram('casewatch_event_handling_seconds', {
    description: 'Transactions that handle events, one or a batch each.',
    unit: 's',
    advice: { explicitBucketBoundaries: HANDLING_SECONDS },
  });

  function inTrace<T>(group: string, events: readonly EventRecord[], work: () => Promise<T>): Promise<T> {
    if (!tracing.on) return work();
    const origins = [...new Set(events.flatMap(({ headers }) => headers.traceparent ?? []))];
    const topic = events[0]?.topic ?? '';
    return tracing.inSpan(
      {
        name: `handle ${topic}`,
        kind: 'consumer',
        // A batch continues the trace of its first event and links the others'.
        parent: origins[0] ?? 'root',
        links: origins.slice(1),
        attributes: {
          'messaging.system': system,
          'messaging.operation.name': 'handle',
          'messaging.operation.type': 'process',
          'messaging.consumer.group.name': group,
          'messaging.destination.name': topic,
          'messaging.batch.message_count': events.length,
        },
      },
      work,
    );
  }

  async function sendInTrace<Row extends EventRecord>(
    event: Row,
    send: (event: Row) => Promise<void>,
  ): Promise<void> {
    const { topic, headers } = event;
    if (!tracing.on || !isSampled(headers.traceparent)) return send(event);
    const span = tracing.open({
      name: `publish ${topic}`,
      kind: 'producer',
      parent: headers.traceparent,
      attributes: {
        'messaging.system': system,
        'messaging.operation.name': 'publish',
        'messaging.operation.type': 'send',
        'messaging.destination.name': topic,
      },
    });
    let failed = true;
    try {
      await send({ ...event, headers: { ...headers, [TRACEPARENT_HEADER]: span.traceparent } });
      failed = false;
    } finally {
      span.end({ failed });
    }
  }

  return {
    async publishing(event, send) {
      await sendInTrace(event, send);
      published.add(1, { topic: event.topic });
    },
    handled(group, topic, outcome, count) {
      handled.add(count, { group, topic, outcome });
    },
    async handling(group, events, work) {
      const startedMs = performance.now();
      try {
        return await inTrace(group, events, work);
      } finally {
        seconds.record((performance.now() - startedMs) / 1e3, { group, topic: events[0]?.topic ?? '' });
      }
    },
  };
}

export const noEventTelemetry: EventTelemetry = createEventTelemetry(noTelemetry);
