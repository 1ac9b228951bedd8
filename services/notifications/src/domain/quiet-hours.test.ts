import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { notificationSettings } from '@casewatch/contracts/notification-settings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, momentAround, TIME_ZONES } from '../../test/time-zones.ts';
import { afterQuietHours, isTimeZone } from './quiet-hours.ts';

const NIGHT = { from: '22:00', until: '07:00' };
const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const inZone = (ms: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);

const clockTime = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 15, 30, 45) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const quietHours = fc
  .record({ from: clockTime, until: clockTime })
  .filter(({ from, until }) => from !== until);

const QUARTER_MS = 15 * 60_000;
const clockTimeAt = (ms: number, timeZone: string) =>
  inZone(ms, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });

function isQuiet(ms: number, timeZone: string, { from, until }: { from: string; until: string }): boolean {
  const time = clockTimeAt(ms, timeZone);
  return from < until ? time >= from && time < until : time >= from || time < until;
}

/** How much of a day without a change of the clocks is not quiet. */
function openMinutes({ from, until }: { from: string; until: string }): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return (minutes(from) - minutes(until) + 24 * 60) % (24 * 60);
}

test.each([
  ['at their beginning', '2026-01-05T22:00[America/New_York]', '2026-01-06T07:00[America/New_York]'],
  ['just before them', '2026-01-05T21:59[America/New_York]', '2026-01-05T21:59[America/New_York]'],
  ['in the evening', '2026-01-05T23:30[America/New_York]', '2026-01-06T07:00[America/New_York]'],
  ['in the morning', '2026-01-05T06:59[America/New_York]', '2026-01-05T07:00[America/New_York]'],
  ['at their end', '2026-01-05T07:00[America/New_York]', '2026-01-05T07:00[America/New_York]'],
  ['by day', '2026-01-05T12:00[America/New_York]', '2026-01-05T12:00[America/New_York]'],
])('a message %s waits until the night is over', (_, now, sent) => {
  expect(afterQuietHours(at(now), NIGHT, 'America/New_York')).toBe(at(sent));
});

test('an end that the clocks skip is the moment at which they do', () => {
  const zone = 'America/New_York';
  const end = afterQuietHours(at(`2026-03-08T01:00[${zone}]`), { from: '22:00', until: '02:30' }, zone);
  expect(inZone(end, zone).toString()).toBe('2026-03-08T03:00:00-04:00[America/New_York]');
});

test('in the hour that comes twice a message waits for the end that is ahead', () => {
  const zone = 'America/New_York';
  const secondOneOClock = at('2026-11-01T01:10:00-05:00[America/New_York]');
  const end = afterQuietHours(secondOneOClock, { from: '22:00', until: '01:30' }, zone);
  expect(inZone(end, zone).toString()).toBe('2026-11-01T01:30:00-05:00[America/New_York]');
});

test('quiet hours that have just begun end where the clocks go back to their end', () => {
  const zone = 'America/New_York';
  const firstHalfPastOne = at('2026-11-01T01:35:00-04:00[America/New_York]');
  const end = afterQuietHours(firstHalfPastOne, { from: '01:30', until: '01:00' }, zone);
  expect(inZone(end, zone).toString()).toBe('2026-11-01T01:00:00-05:00[America/New_York]');
});

test('where the clocks skip all of the time between two quiet hours, a message waits for the end of the second', () => {
  const zone = 'America/New_York';
  const end = afterQuietHours(at(`2026-03-07T03:00[${zone}]`), { from: '02:15', until: '02:00' }, zone);
  expect(inZone(end, zone).toString()).toBe('2026-03-09T02:00:00-04:00[America/New_York]');
});

test('in every time zone and across every change of the clocks, nothing is sent in quiet hours and nothing is lost', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TIME_ZONES), quietHours, momentAround, (timeZone, quiet, moment) => {
      const now = moment(timeZone);
      const sent = afterQuietHours(now, quiet, timeZone);
      expect(isQuiet(sent, timeZone, quiet)).toBe(false);
      if (isQuiet(now, timeZone, quiet)) {
        expect(sent).toBeGreaterThan(now);
        // What is left of a day may be so short that the clocks skip all of it: then two nights are one.
        expect(sent - now).toBeLessThanOrEqual((openMinutes(quiet) > 60 ? 26 : 50) * HOUR_MS);
        // It waits for the end of these quiet hours, not for that of the next ones.
        const first = Math.ceil((now + 1) / QUARTER_MS) * QUARTER_MS;
        for (let passing = first; passing < sent; passing += QUARTER_MS) {
          expect(clockTimeAt(passing, timeZone)).not.toBe(quiet.until);
        }
      } else expect(sent).toBe(now);
    }),
    { numRuns: 2_000 },
  );
});

test('without quiet hours everything is sent at once', () => {
  expect(afterQuietHours(123, null, 'America/New_York')).toBe(123);
});

test('quiet hours that end when they begin hold nothing back', () => {
  const quiet = { from: '07:00', until: '07:00' };
  for (const now of ['2026-01-05T07:00[UTC]', '2026-01-05T12:00[UTC]'])
    expect(afterQuietHours(at(now), quiet, 'UTC')).toBe(at(now));
});

test('every time zone that the app offers can be chosen and computed in, and no other name', () => {
  const offered = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  const isChosen = (timeZone: string) =>
    notificationSettings.safeParse({ ...DEFAULT_NOTIFICATION_SETTINGS, timeZone }).success;
  expect(offered.length).toBeGreaterThan(400);
  expect(offered.filter((name) => !isChosen(name) || !isTimeZone(name))).toEqual([]);
  expect(['PST', 'SystemV/AST4', 'Mars/Olympus', null].map(isTimeZone)).toEqual([false, false, false, true]);
});
