import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createOutageLog } from './outage-log.ts';

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
