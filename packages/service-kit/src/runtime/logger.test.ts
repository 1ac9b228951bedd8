import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from './logger.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('every line has its time to the millisecond, as ISO 8601', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    name: 'test',
    destination: { write: (line) => lines.push(line) },
  });
  const times = [
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T00:00:00.000Z',
    '2026-03-01T00:00:00.007Z',
    '2026-03-01T00:00:00.080Z',
    '2026-02-28T23:59:59.999Z',
  ];
  for (const time of times) {
    vi.setSystemTime(time);
    logger.info('x');
  }
  expect(lines.map((line) => JSON.parse(line).time)).toEqual(times);
});

test('an error is logged with its code and stack, without the database connection that it holds', () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    name: 'test',
    destination: { write: (line) => lines.push(line) },
  });
  const error = Object.assign(new Error('the connection ended'), { code: '57P01', client: { host: 'db' } });
  logger.warn({ err: error }, 'x');
  const logged = JSON.parse(lines[0] ?? '').err;
  expect(logged).toMatchObject({ message: 'the connection ended', code: '57P01', type: 'Error' });
  expect(logged.stack).toContain('logger.test.ts');
  expect(logged).not.toHaveProperty('client');
});

test('secrets and e-mail addresses are left out of a line, up to two levels deep', () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    name: 'test',
    destination: { write: (line) => lines.push(line) },
    mixin: () => ({ trace_id: 'a trace' }),
  });
  const names = ['password', 'passcode', 'authorization', 'cookie', 'email', 'sid', 'token', 'access_token'];
  const secrets = Object.fromEntries(names.map((name) => [name, 'a secret']));
  logger.info({ ...secrets, request: { ...secrets, headers: secrets }, userId: 'u' }, 'x');
  logger.debug('below the level');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('a secret');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    process: 'test',
    trace_id: 'a trace',
    userId: 'u',
    password: '[redacted]',
  });
});
