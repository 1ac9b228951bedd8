import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKafkaClient } from './kafka-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The log of a client, and what it has made of that. */
function logOfClient() {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const log = createKafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'casewatch' }, logger).logger();
  return { log, lines, levels: () => lines.map(({ level }) => level) };
}

test('an error of kafkajs is a warning, with its reason and the fields that it has', () => {
  const { log, lines } = logOfClient();
  log.error('Connection error', { broker: 'kafka:9092', error: 'connect ECONNREFUSED', stack: 'at …' });
  log.info('is below what is logged');
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'kafkajs: Connection error',
      broker: 'kafka:9092',
      reason: 'connect ECONNREFUSED',
    }),
  ]);
  expect(lines[0]).not.toHaveProperty('stack');
  expect(lines[0]).not.toHaveProperty('logger');
});

test('the same message is a warning once a minute', () => {
  const { log, levels } = logOfClient();
  log.error('Connection error');
  log.error('Request failed');
  vi.advanceTimersByTime(60_000);
  log.error('Connection error');
  vi.advanceTimersByTime(1);
  log.error('Connection error');
  log.error('Connection error');
  expect(levels()).toEqual([40, 40, 20, 40, 20]);
});

test('a thousand different messages are remembered, no more', () => {
  const { log, levels } = logOfClient();
  for (let n = 0; n < 1_000; n++) log.error(`message ${n}`);
  log.error('message 0');
  expect(levels().at(-1)).toBe(20);
  log.error('one more');
  log.error('message 0');
  expect(levels().slice(-2)).toEqual([40, 40]);
});
