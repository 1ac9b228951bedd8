import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, momentAround, TIME_ZONES } from '../../test/time-zones.ts';
import { DIGEST_KINDS, digestsOf, nextDigest } from './digest-schedule.ts';

const timing = { timeZone: 'America/New_York', digestHour: 8, digestDay: 1 };
const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;

test.each([
  ['daily', '2026-01-05T07:59[America/New_York]', '2026-01-05'],
  ['daily', '2026-01-05T08:00[America/New_York]', '2026-01-06'],
  ['weekly', '2026-01-05T07:59[America/New_York]', '2026-01-05'],
  ['weekly', '2026-01-05T08:00[America/New_York]', '2026-01-12'],
] as const)('the next %s digest after %s is due on %s', (kind, after, period) => {
  const next = nextDigest(kind, at(after), timing);
  expect(next).toEqual({ dueMs: at(`${period}T08:00[America/New_York]`), period });
});

test('an hour that the clocks skip comes when they do, and one that comes twice counts once', () => {
  const early = { ...timing, digestHour: 2 };
  expect(nextDigest('daily', at('2026-03-08T01:00[America/New_York]'), early)).toEqual({
    dueMs: at('2026-03-08T03:00[America/New_York]'),
    period: '2026-03-08',
  });
  const twice = nextDigest('daily', at('2026-11-01T00:00[America/New_York]'), { ...timing, digestHour: 1 });
  expect(twice.dueMs).toBe(at('2026-11-01T01:00:00-04:00[America/New_York]'));
  expect(nextDigest('daily', twice.dueMs, { ...timing, digestHour: 1 }).period).toBe('2026-11-02');
});

test('in every time zone and across every change of the clocks, each period has one digest, at its hour', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TIME_ZONES),
      fc.constantFrom(...DIGEST_KINDS),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 1, max: 7 }),
      momentAround,
      (timeZone, kind, digestHour, digestDay, moment) => {
        const own = { timeZone, digestHour, digestDay };
        const days = kind === 'daily' ? 1 : 7;
        const first = nextDigest(kind, moment(timeZone), own);
        expect(first.dueMs).toBeGreaterThan(moment(timeZone));
        expect(first.dueMs - moment(timeZone)).toBeLessThanOrEqual((days * 24 + 1) * HOUR_MS);
        let last = first;
        for (let nth = 0; nth < 4; nth++) {
          const next = nextDigest(kind, last.dueMs, own);
          expect(Temporal.PlainDate.from(last.period).add({ days }).toString()).toBe(next.period);
          const local = Temporal.Instant.fromEpochMilliseconds(next.dueMs).toZonedDateTimeISO(timeZone);
          expect(local.toPlainDate().toString()).toBe(next.period);
          if (kind === 'weekly') expect(local.dayOfWeek).toBe(digestDay);
          const isSkipped = local.hour !== digestHour || local.minute !== 0;
          const transition = local.add({ seconds: 1 }).getTimeZoneTransition('previous');
          expect(!isSkipped || transition?.epochMilliseconds === next.dueMs).toBe(true);
          last = next;
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('settings ask for the digests that one of their kinds waits for', () => {
  const email = { status: 'weekly', needsAction: 'immediately', digest: 'daily' } as const;
  const push = { ...DEFAULTS.push, status: 'weekly' } as const;
  expect(digestsOf(DEFAULTS, 'email')).toEqual([]);
  expect(digestsOf({ ...DEFAULTS, email: { ...DEFAULTS.email, status: 'daily' } }, 'email')).toEqual([
    'daily',
  ]);
  expect(digestsOf({ ...DEFAULTS, email }, 'email')).toEqual(['daily', 'weekly']);
  expect(digestsOf({ ...DEFAULTS, email }, 'push')).toEqual([]);
  expect(digestsOf({ ...DEFAULTS, email, push }, 'push')).toEqual(['weekly']);
});
