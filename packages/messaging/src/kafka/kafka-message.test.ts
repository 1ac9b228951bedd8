import fc from 'fast-check';
import type { KafkaMessage } from 'kafkajs';
import { expect, test } from 'vitest';
import { eventOf, messageOf } from './kafka-message.ts';

const PLACE = { event: 'user-deleted', partition: 2 };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function received(
  given: Partial<Pick<KafkaMessage, 'key' | 'value' | 'timestamp' | 'headers'>>,
): KafkaMessage {
  return {
    key: null,
    value: null,
    timestamp: '1700000000000',
    attributes: 0,
    offset: '7',
    headers: {},
    ...given,
  };
}

test('an event comes out as it went in', () => {
  const event = {
    id: '018bcfe5-6800-7000-8000-000000000001',
    topic: 'user-deleted',
    key: 'u1',
    payload: { userId: 'u1' },
    headers: { ce_id: '018bcfe5-6800-7000-8000-000000000001', traceparent: '00-a-b-01' },
  };
  const { key, value, headers } = messageOf(event);
  const wire = received({
    key: Buffer.from(String(key)),
    value: Buffer.from(String(value)),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(String(text))]),
    ),
  });
  expect(eventOf(wire, PLACE)).toEqual(event);
});

test('whatever bytes come, they become an event with an id that is the same when they are read again', () => {
  const bytes = fc.option(fc.uint8Array().map((array) => Buffer.from(array)));
  const messages = fc.record({
    key: bytes,
    value: bytes,
    timestamp: fc.oneof(fc.string(), fc.integer().map(String), fc.constant('9223372036854775807')),
    headers: fc.option(fc.dictionary(fc.constantFrom('ce_id', 'ce_time', 'x'), fc.string()), {
      nil: undefined,
    }),
  });
  fc.assert(
    fc.property(messages, ({ headers, ...rest }) => {
      const message = received({ ...rest, ...(headers ? { headers } : {}) });
      const event = eventOf(message, PLACE);
      expect(event.id).toMatch(UUID_V7);
      expect(eventOf(message, PLACE)).toEqual(event);
      expect(eventOf({ ...message, offset: '8' }, PLACE).id).not.toBe(event.id);
    }),
  );
});

test('an event without an id gets one of the time of its message, as far as that is known', () => {
  const timeOf = (timestamp: string) => eventOf(received({ timestamp }), PLACE).id.slice(0, 13);
  expect(timeOf('1700000000000')).toBe('018bcfe5-6800');
  expect(timeOf('9223372036854775807')).toBe('ffffffff-ffff');
  for (const none of ['-1', 'soon']) expect(timeOf(none)).toBe('00000000-0000');
});

test('an event keeps its id and its trace where a producer capitalized the names of the headers', () => {
  const id = '018bcfe5-6800-7000-8000-000000000001';
  const message = received({
    headers: { CE_Id: id, Ce_Time: '2026-01-05T00:00:00Z', TraceParent: '00-a-b-01' },
  });
  expect(eventOf(message, PLACE)).toMatchObject({
    id,
    headers: { ce_id: id, ce_time: '2026-01-05T00:00:00Z', traceparent: '00-a-b-01' },
  });
});
