import type { EventBus, EventType } from '@casewatch/platform/events/event-bus';

/** A bus for tests of one service alone: remembers what was published, by event name. */
export function createRecordingBus() {
  const published: { name: string; payload: unknown }[] = [];
  const bus: EventBus = {
    publish: async <Payload>(_tx: unknown, event: EventType<Payload>, payload: Payload) => {
      published.push({ name: event.name, payload: event.encode(payload) });
    },
    publishAll: async <Payload>(_tx: unknown, event: EventType<Payload>, payloads: readonly Payload[]) => {
      published.push(...payloads.map((payload) => ({ name: event.name, payload: event.encode(payload) })));
    },
  };
  return { bus, published };
}
