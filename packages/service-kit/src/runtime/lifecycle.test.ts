import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLifecycle, withTimeout } from './lifecycle.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A life cycle whose parts note when they stop. */
function lifecycleUnderTest(stopTimeoutMs?: number) {
  const stopped: string[] = [];
  const logged: unknown[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const lifecycle = createLifecycle(logger, stopTimeoutMs);
  const add = (name: string, stop: () => Promise<void> = async () => undefined) =>
    lifecycle.add({
      name,
      stop: () => {
        stopped.push(name);
        return stop();
      },
    });
  return { lifecycle, add, stopped, logged };
}

test('parts stop in the reverse order of their start, each when the one before has stopped', async () => {
  const { lifecycle, add, stopped } = lifecycleUnderTest();
  const last = Promise.withResolvers<void>();
  for (const name of ['first', 'second']) add(name);
  add('last', () => last.promise);
  const stopping = lifecycle.stop();
  const again = lifecycle.stop().then(() => stopped.push('all'));
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).toEqual(['last']);
  last.resolve();
  await Promise.all([stopping, again]);
  expect(stopped).toEqual(['last', 'second', 'first', 'all']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a part that fails to stop is logged by name, and the others stop', async () => {
  const { lifecycle, add, stopped, logged } = lifecycleUnderTest();
  add('first');
  add('failing', () => Promise.reject(new Error('no connection')));
  await lifecycle.stop();
  expect(stopped).toEqual(['failing', 'first']);
  expect(logged).toMatchObject([{ level: 50, part: 'failing', err: { message: 'no connection' } }]);
});

test.each([
  ['ten seconds', undefined, 10_000],
  ['the time that it is given', 500, 500],
])('a part that does not stop is left after %s', async (_name, given, timeoutMs) => {
  const { lifecycle, add, stopped, logged } = lifecycleUnderTest(given);
  add('first');
  add('hanging', () => new Promise(() => undefined));
  const stopping = lifecycle.stop();
  await vi.advanceTimersByTimeAsync(timeoutMs - 1);
  expect(stopped).toEqual(['hanging']);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  expect(stopped).toEqual(['hanging', 'first']);
  expect(logged).toMatchObject([{ err: { message: `hanging did not stop within ${timeoutMs} ms` } }]);
});

test('work within its time limit gives its result or its error, and leaves no timer', async () => {
  await expect(withTimeout(Promise.resolve(7), 100, 'late')).resolves.toBe(7);
  await expect(withTimeout(Promise.reject(new Error('failed')), 100, 'late')).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});
