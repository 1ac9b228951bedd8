import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createOutageLog, createThrottledWarning } from './outage-log.ts';

afterEach(() => {
  vi.useRealTimers();
});

function logOf(everyReason: boolean) {
  const lines: string[] = [];
  const write = (line: string) => {
    const { level, msg, err } = JSON.parse(line);
    lines.push([level, msg, err?.message].filter(Boolean).join(' '));
  };
  const logger = pino({ level: 'info' }, { write });
  return {
    lines,
    log: createOutageLog(logger, { outage: 'unavailable', recovery: 'recovered', everyReason }),
  };
}

test('an outage is logged once with its first reason, and its recovery once', () => {
  const { lines, log } = logOf(false);
  log.recovered();
  for (const reason of ['refused', 'refused', 'timeout']) log.failed(new Error(reason));
  log.recovered();
  log.recovered();
  log.failed(new Error('refused'));
  expect(lines).toEqual(['40 unavailable refused', '30 recovered', '40 unavailable refused']);
});

test('with the option to log every reason, a new reason is logged as well', () => {
  const { lines, log } = logOf(true);
  for (const reason of ['refused', 'refused', 'timeout']) log.failed(new Error(reason));
  log.recovered();
  expect(lines).toEqual(['40 unavailable refused', '40 unavailable timeout', '30 recovered']);
});

test('a throttled warning is logged every ten seconds at most, with the number of those left out', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const logged: unknown[] = [];
  const write = (line: string) => {
    const { level, msg, err, suppressed } = JSON.parse(line);
    logged.push([level, msg, err.message, suppressed]);
  };
  const warn = createThrottledWarning(pino({ level: 'info' }, { write }), 'unavailable');
  for (const reason of ['first', 'second', 'third']) warn(new Error(reason));
  vi.advanceTimersByTime(9_999);
  warn(new Error('fourth'));
  vi.advanceTimersByTime(1);
  warn(new Error('fifth'));
  vi.advanceTimersByTime(10_000);
  warn(new Error('sixth'));
  expect(logged).toEqual([
    [40, 'unavailable', 'first', 0],
    [40, 'unavailable', 'fifth', 3],
    [40, 'unavailable', 'sixth', 0],
  ]);
});

test('later failures of an outage are logged at debug level', () => {
  const levels: number[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void levels.push(JSON.parse(line).level) });
  const log = createOutageLog(logger, { outage: 'unavailable', recovery: 'recovered' });
  for (const reason of ['refused', 'timeout']) log.failed(new Error(reason));
  expect(levels).toEqual([40, 20]);
});
