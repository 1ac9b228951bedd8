import type { EventRecord } from '@casewatch/messaging/event-record';
import { expect, test } from 'vitest';
import { tailOutboxes } from './tail-outboxes.ts';

// A record whose time may be missing.
const event = (id: string, payload: unknown = { of: id }, ce_time?: string) =>
  ({ id, topic: 'case-observed', key: 'k', payload, headers: { ce_time } }) as unknown as EventRecord;

/** A schema whose outbox holds more at each look, and what it was asked with. */
function schemaOf(...looks: EventRecord[][]) {
  const asked: unknown[][] = [];
  const query = async (_sql: string, values: unknown[]) => {
    asked.push(values);
    return looks[Math.min(asked.length, looks.length) - 1] ?? [];
  };
  // Only the part that is used of it.
  const sql = { query } as unknown as Parameters<typeof tailOutboxes>[0]['schemas'][number]['sql'];
  return { asked, schema: { service: 'cases' as const, sql } };
}

test('what is published from now on is printed once, of every outbox, until the count is reached', async () => {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const old = event('old');
  const one = schemaOf([old], [old, event('a', { n: 1 }, '2026-01-05T12:00:00Z')]);
  const other = schemaOf([], [event('b', 'as text'), event('c')]);
  const startedAtMs = Date.now();
  await tailOutboxes({
    schemas: [one.schema, other.schema],
    topic: 'case-observed',
    count: 2,
    say,
    until: new AbortController().signal,
  });
  expect(lines).toEqual([
    'Listening; Ctrl-C ends it.',
    '2026-01-05T12:00:00Z  case-observed  k  a  {"n":1}',
    '-  case-observed  k  b  as text',
  ]);
  expect(one.asked).toEqual([
    [expect.any(Date), 'case-observed'],
    [expect.any(Date), 'case-observed'],
  ]);
  // A minute back, for transactions that commit late.
  const [since] = one.asked[0] as [Date];
  expect(since.getTime()).toBeGreaterThanOrEqual(startedAtMs - 60_000);
  expect(since.getTime()).toBeLessThanOrEqual(Date.now() - 60_000);
});

test('a signal ends it while it waits; events are shown in later looks, and not twice', async () => {
  const lines: string[] = [];
  const stopping = new AbortController();
  const outbox = schemaOf([], [event('a')], [event('a'), event('b')]);
  await tailOutboxes({
    schemas: [outbox.schema],
    topic: undefined,
    count: undefined,
    say: (line) => {
      lines.push(line.split('  ')[3] ?? line);
      // The process polls again after it has printed this.
      if (line.includes('  b  ')) setImmediate(() => stopping.abort());
    },
    until: stopping.signal,
  });
  expect(lines).toEqual(['Listening; Ctrl-C ends it.', 'a', 'b']);
  expect(outbox.asked[0]?.[1]).toBeNull();
});
