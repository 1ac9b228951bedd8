import { afterEach, expect, test, vi } from 'vitest';
import { byServerClock, noteServerTime, serverNowMs } from './server-clock.ts';

const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z');
afterEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  noteServerTime(new Date(NOW_MS).toUTCString());
  vi.useRealTimers();
});

test.each([
  ['30 hours ahead', '2026-01-06T18:00:00.000Z'],
  ['30 hours behind', '2026-01-04T06:00:00.000Z'],
  ['an hour ahead', '2026-01-05T13:00:00.000Z'],
  ['years behind', '2001-01-01T00:00:00.000Z'],
  ['two minutes ahead', '2026-01-05T12:02:00.000Z'],
])('a clock that is %s is corrected by the server’s', (_what, now) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  noteServerTime(new Date(NOW_MS).toUTCString());
  expect(serverNowMs()).toBe(NOW_MS);
  expect(byServerClock(Date.now() - 1_000)).toBe(NOW_MS - 1_000);
});

test('a clock that is right but for seconds is kept, and a header that is missing or no date changes nothing', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 30_000 });
  noteServerTime(new Date(NOW_MS).toUTCString());
  expect(serverNowMs()).toBe(NOW_MS + 30_000);
  vi.setSystemTime(NOW_MS + 3_600_000);
  noteServerTime(new Date(NOW_MS).toUTCString());
  for (const header of [null, '', 'soon']) noteServerTime(header);
  expect(serverNowMs()).toBe(NOW_MS);
});
