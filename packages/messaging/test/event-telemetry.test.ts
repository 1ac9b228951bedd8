import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultPolicy } from '../src/delivery-policy.ts';
import type { EventRecord } from '../src/event-record.ts';
import { createEventTelemetry } from '../src/event-telemetry.ts';
import { createGroupConsumer } from '../src/group-consumer.ts';
import { counted, quick, recorder } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

let database: EventsDatabase;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeAll(async () => {
  database = await createEventsDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  telemetry = await startScraped();
});
afterEach(() => telemetry.stop());

const event = (id: string, userId: string): EventRecord => ({
  id,
  topic: counted.name,
  key: userId,
  payload: { userId, loginCount: 1 },
  headers: { ce_time: new Date().toISOString() },
});

function consumerOf(before: Parameters<typeof recorder>[1]) {
  return createGroupConsumer({
    group: 'notifications',
    handlers: [recorder('notifications', before)],
    pool: database.poolOf('notifications'),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, ...quick },
    telemetry: createEventTelemetry(telemetry),
  });
}

const handled = (outcome: string) =>
  `casewatch_events_handled_total{group="notifications",topic="${counted.name}",outcome="${outcome}"}`;

test('a group that has handled nothing yet says so', async () => {
  const consumer = consumerOf(() => undefined);
  expect(await telemetry.scrape()).toMatchObject({ [handled('applied')]: 0 });
  await consumer.stop();
});

test('an event is applied once and then a duplicate; its handling is timed', async () => {
  const consumer = consumerOf(() => undefined);
  const once = event(uuidV7(Date.now()), 'a');
  await consumer.dispatch(once);
  await consumer.dispatch(once);
  await consumer.stop();
  const scraped = await telemetry.scrape();
  expect(scraped).toMatchObject({ [handled('applied')]: 1, [handled('duplicate')]: 1 });
  const timed = `casewatch_event_handling_seconds_count{group="notifications",topic="${counted.name}"}`;
  expect(scraped[timed]).toBe(2);
});

test('an event that always fails is tried again four times and then dead', async () => {
  const consumer = consumerOf(() => {
    throw new Error('never');
  });
  await consumer.dispatch(event(uuidV7(Date.now()), 'b'));
  await consumer.stop();
  expect(await telemetry.scrape()).toMatchObject({
    [handled('applied')]: 0,
    [handled('retried')]: quick.retryDelaysMs.length,
    [handled('dead')]: 1,
  });
});

test('an event whose handler finds a dependency unavailable counts as retried each time, and as applied in the end', async () => {
  let unavailable = 2;
  const consumer = consumerOf(() => {
    if (unavailable-- > 0) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  await consumer.dispatch(event(uuidV7(Date.now()), 'c'));
  await consumer.stop();
  expect(await telemetry.scrape()).toMatchObject({ [handled('applied')]: 1, [handled('retried')]: 2 });
});

test('an event counts as published when its relay has sent it, and not before', async () => {
  const { publishing } = createEventTelemetry(telemetry);
  const published = `casewatch_events_published_total{topic="${counted.name}"}`;
  await publishing(event('x', 'd'), async () => undefined);
  await publishing(event('y', 'd'), async () => undefined);
  const failing = publishing(event('z', 'd'), () => Promise.reject(new Error('no broker')));
  await expect(failing).rejects.toThrow('no broker');
  expect(await telemetry.scrape()).toMatchObject({ [published]: 2 });
});
