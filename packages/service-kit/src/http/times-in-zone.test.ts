import { afterEach, expect, test, vi } from 'vitest';
import { timesInZone } from './times-in-zone.ts';

/** A getter in ECMA-402, although TypeScript declares a method. */
const intl: { readonly format: unknown } = Intl.DateTimeFormat.prototype;

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['America/New_York', '2026-01-05T12:00:00.000Z', '2026-01-05T07:00:00.000-05:00'],
  ['America/New_York', '2026-07-05T02:00:00.000Z', '2026-07-04T22:00:00.000-04:00'],
  ['Asia/Kolkata', '2026-01-05T20:00:00.000Z', '2026-01-06T01:30:00.000+05:30'],
  ['Europe/London', '2026-01-05T12:00:00.000Z', '2026-01-05T12:00:00.000+00:00'],
  ['UTC', '2026-01-05T12:00:00.000Z', '2026-01-05T12:00:00.000Z'],
])('a time in %s keeps its instant and shows the local clock', (zone, time, written) => {
  expect(timesInZone(zone).write(time)).toBe(written);
  expect(Date.parse(written)).toBe(Date.parse(time));
});

test.each([Date.UTC(2026, 0, 5, 12, 0, 0, 678), new Date('2026-01-05T12:00:00.678Z')])(
  'a number of milliseconds or a date is written to the millisecond: %j',
  (time) => {
    expect(timesInZone('America/New_York').write(time)).toBe('2026-01-05T07:00:00.678-05:00');
  },
);

test('an offset that Intl leaves out, as before ICU 78, is zero', () => {
  vi.spyOn(intl, 'format', 'get').mockReturnValue(() => '1/5/2026, GMT');
  expect(timesInZone('Europe/London').write('2026-01-05T12:00:00.000Z')).toBe(
    '2026-01-05T12:00:00.000+00:00',
  );
});

test('the offsets of 4,000 quarters of an hour are remembered, and not of one more', () => {
  const format = vi.spyOn(intl, 'format', 'get');
  const { write } = timesInZone('America/New_York');
  const writeQuarters = (count: number) => {
    for (let quarter = 0; quarter < count; quarter++) write(quarter * 15 * 60_000);
  };
  writeQuarters(4_000);
  writeQuarters(4_000);
  expect(format).toHaveBeenCalledTimes(4_000);
  writeQuarters(4_001);
  format.mockClear();
  writeQuarters(4_001);
  expect(format).toHaveBeenCalled();
});

test('the offset changes at the minute that the clocks do', () => {
  const { write } = timesInZone('America/New_York');
  expect(write('2026-03-08T06:59:59.999Z')).toBe('2026-03-08T01:59:59.999-05:00');
  expect(write('2026-03-08T07:00:00.000Z')).toBe('2026-03-08T03:00:00.000-04:00');
});

test.each(['Mars/Olympus', '', '\u0000'])('a zone that is not known, %j, counts as UTC', (zone) => {
  const times = timesInZone(zone);
  expect([times.name, times.write(0)]).toEqual(['UTC', '1970-01-01T00:00:00.000Z']);
});

test('no time is an empty cell', () => {
  expect(timesInZone('America/New_York').write(null)).toBe('');
});
