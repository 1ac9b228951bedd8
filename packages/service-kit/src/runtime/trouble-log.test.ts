import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTroubleLog } from './trouble-log.ts';

function logOf(everyReason: boolean) {
  const lines: string[] = [];
  const write = (line: string) => {
    const { level, msg, err } = JSON.parse(line);
    lines.push([level, msg, err?.message].filter(Boolean).join(' '));
  };
  const logger = pino({ level: 'info' }, { write });
  return { lines, log: createTroubleLog(logger, { trouble: 'away', over: 'back', everyReason }) };
}

test('trouble is told once with its first reason, and once that it is over', () => {
  const { lines, log } = logOf(false);
  log.over();
  for (const reason of ['refused', 'refused', 'timeout']) log.trouble(new Error(reason));
  log.over();
  log.over();
  log.trouble(new Error('refused'));
  expect(lines).toEqual(['40 away refused', '30 back', '40 away refused']);
});

test('where every reason matters, another one is told as well', () => {
  const { lines, log } = logOf(true);
  for (const reason of ['refused', 'refused', 'timeout']) log.trouble(new Error(reason));
  log.over();
  expect(lines).toEqual(['40 away refused', '40 away timeout', '30 back']);
});
