import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

function start() {
  const lines: Record<string, unknown>[] = [];
  const clock = createManualClock();
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { clock, lines, log: createRefusalLog(logger, clock) };
}

test('refusals are counted for ten seconds from the first one, again and again', async () => {
  const { clock, lines, log } = start();
  for (const round of [1, 2]) {
    log.note({ status: 404, area: 'web', address: '192.0.2.1' });
    await clock.advance(9_999);
    log.note({ status: 404, area: 'web', address: '192.0.2.2' });
    expect(lines).toHaveLength(round - 1);
    await clock.advance(1);
    expect(lines).toHaveLength(round);
    expect(lines.at(-1)).toMatchObject({ level: 30, status: 404, area: 'web', requests: 2, addresses: 2 });
  }
});

test('networks are counted, IPv6 by /64, and no more than a thousand are kept apart', async () => {
  const { clock, lines, log } = start();
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) {
    log.note({ status: 429, area: 'api', address });
  }
  for (let n = 0; n < 1_002; n += 1) {
    log.note({ status: 404, area: 'api', address: `10.0.${n >> 8}.${n & 255}` });
  }
  await clock.advance(10_000);
  expect(lines).toMatchObject([
    { status: 429, requests: 3, addresses: 2 },
    { status: 404, requests: 1_002, addresses: 1_000 },
  ]);
});
