import { CASES_PER_OVERVIEW, type CaseOverview } from '@casewatch/contracts/case-overviews';
import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { HOUR_MS, momentAround, TIME_ZONES } from '../../test/time-zones.ts';
import { CHANNELS, type Channel } from './choose-deliveries.ts';
import type { DigestKind } from './digest-schedule.ts';
import { DIGEST_KINDS } from './digest-schedule.ts';
import {
  type Advance,
  CHANGES_PER_DIGEST,
  type DigestChange,
  type DigestSchedules,
  digestContent,
  makeDueDigests,
} from './digests.ts';

const NOW = Date.UTC(2026, 0, 20, 8);
const AT = { nowMs: NOW, timeZone: null };
const silent = pino({ level: 'silent' });
const caseOf = (receiptNumber: string, more: Partial<CaseOverview> = {}): CaseOverview => ({
  userId: 'u',
  receiptNumber,
  nickname: null,
  formType: null,
  status: 'Case Was Received',
  statusChangedAt: '2026-01-08T09:00:00.000Z',
  snoozedUntil: null,
  ...more,
});
const change = (
  receiptNumber: string,
  oldStatus: string | null,
  newStatus: string,
  newestStatus = newStatus,
): DigestChange => ({
  digestId: 'd',
  notificationId: `${receiptNumber} ${newStatus}`,
  receiptNumber,
  oldStatus,
  newStatus,
  newestStatus,
  createdAt: new Date(NOW),
});

test('a case that changed twice is one line, and the others have their days in the status', () => {
  const content = digestContent(
    [change('A', 'one', 'two'), change('B', null, 'x'), change('A', 'two', 'three')],
    {
      checked: [
        caseOf('A', { nickname: 'Mom', formType: 'I-130', statusEs: 'Tres' }),
        caseOf('C', { statusEs: 'Recibido' }),
        caseOf('D', { status: null }),
      ],
      others: [],
    },
    AT,
  );
  expect(content).toEqual({
    changed: [
      {
        notificationId: 'A three',
        receiptNumber: 'A',
        nickname: 'Mom',
        formType: 'I-130',
        oldStatus: 'one',
        between: ['two'],
        newStatus: 'three',
        own: expect.objectContaining({ status: 'Case Was Received', statusEs: 'Tres' }),
      },
      {
        notificationId: 'B x',
        receiptNumber: 'B',
        nickname: null,
        formType: null,
        oldStatus: null,
        between: [],
        newStatus: 'x',
      },
    ],
    unchanged: [
      {
        receiptNumber: 'C',
        nickname: null,
        status: 'Case Was Received',
        statusEs: 'Recibido',
        days: 12,
        isAtLeast: true,
      },
    ],
    hasMoreChanged: false,
    hasMoreUnchanged: false,
  });
});

test.each([
  [CASES_PER_OVERVIEW - 1, false],
  [CASES_PER_OVERVIEW, true],
])('of a user with %i cases in the overview there may be more: %s', (count, hasMoreUnchanged) => {
  const checked = Array.from({ length: count }, (_, nth) => caseOf(`A${nth}`));
  expect(digestContent([], { checked, others: [] }, AT)).toMatchObject({ hasMoreUnchanged });
});

test('where changes are left out no case is listed as unchanged', () => {
  const changes = Array.from({ length: CHANGES_PER_DIGEST }, () => change('A', 'one', 'two'));
  const cases = { checked: [caseOf('A'), caseOf('C')], others: [] };
  expect(digestContent(changes, cases, AT)).toMatchObject({ hasMoreChanged: true, unchanged: [] });
  expect(digestContent(changes.slice(1), cases, AT)).toMatchObject({
    hasMoreChanged: false,
    unchanged: [{ receiptNumber: 'C' }],
  });
});

test('a change that arrives after a newer one is part of the way, and never the latest status', () => {
  const cases = { checked: [caseOf('A')], others: [] };
  const late = change('A', 'one', 'two', 'three');
  expect(digestContent([late], cases, AT).changed).toMatchObject([
    { oldStatus: 'one', between: ['two'], newStatus: 'three' },
  ]);
  const both = [change('A', 'one', 'two', 'four'), change('A', 'two', 'three', 'four')];
  expect(digestContent(both, cases, AT).changed).toMatchObject([
    { oldStatus: 'one', between: ['two', 'three'], newStatus: 'four' },
  ]);
});

test('a changed case that is in no overview has its name, and is not among the unchanged ones', () => {
  const details = { userId: 'u', receiptNumber: 'A', nickname: 'Mom', formType: 'I-130', archived: true };
  const known = { checked: [caseOf('C')], others: [{ ...details, snoozedUntil: null }] };
  expect(digestContent([change('A', 'x', 'y')], known, AT)).toMatchObject({
    changed: [{ receiptNumber: 'A', nickname: 'Mom', formType: 'I-130' }],
    unchanged: [{ receiptNumber: 'C' }],
  });
});

test('where it is not known since when a case has its status, it has no days', () => {
  const checked = [caseOf('A', { statusChangedAt: null })];
  expect(digestContent([], { checked, others: [] }, AT).unchanged).toEqual([
    { receiptNumber: 'A', nickname: null, status: 'Case Was Received', days: undefined, isAtLeast: true },
  ]);
});

/** Schedules in memory, as truthful as the table: one digest per kind and period. */
function memory(
  kind: DigestKind,
  nextAtMs: number,
  settings: NotificationSettings,
  channel: Channel = 'email',
) {
  const made: string[] = [];
  let next: number | undefined = nextAtMs;
  const schedules: DigestSchedules = {
    channel,
    listDue: async (nowMs, latestMs) =>
      next !== undefined && (next <= nowMs || next > latestMs)
        ? [{ userId: 'u', kind, nextAtMs: next, settings }]
        : [],
    advance: async (advances: readonly Advance[]) => {
      let count = 0;
      for (const { makes, thenMs, isLast } of advances) {
        const isMade = makes !== undefined && !made.includes(makes.period);
        if (isMade) count = made.push(makes.period);
        next = isLast && isMade ? undefined : thenMs;
      }
      return count;
    },
  };
  return { schedules, made, next: () => next };
}

test('whatever the clock does, no period gets two digests and none is missed for long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TIME_ZONES),
      fc.constantFrom(...DIGEST_KINDS),
      fc.constantFrom(...CHANNELS),
      momentAround,
      fc.array(fc.integer({ min: -72, max: 400 }), { minLength: 5, maxLength: 30 }),
      async (timeZone, kind, channel, moment, hours) => {
        const chosen = { [channel]: { ...DEFAULTS[channel], status: kind } };
        let nowMs = moment(timeZone);
        const { schedules, made, next } = memory(kind, nowMs, { ...DEFAULTS, ...chosen, timeZone }, channel);
        for (const jump of hours) {
          nowMs += jump * HOUR_MS;
          await makeDueDigests(schedules, nowMs, 10, silent);
          expect(new Set(made).size).toBe(made.length);
          const waitMs = (next() ?? 0) - nowMs;
          expect(waitMs).toBeLessThanOrEqual(8 * 24 * HOUR_MS);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('after a pause one digest is made for all that was missed, and the next is due at its usual hour', async () => {
  const email = { ...DEFAULTS.email, status: 'daily' } as const;
  const { schedules, made, next } = memory('daily', NOW - 5 * 24 * HOUR_MS, { ...DEFAULTS, email });
  await makeDueDigests(schedules, NOW + HOUR_MS, 10, silent);
  expect(made).toEqual(['2026-01-20']);
  expect(next()).toBe(NOW + 24 * HOUR_MS);
});

test('a digest is never made for a time before the planned one', async () => {
  const { schedules, made, next } = memory('daily', NOW + HOUR_MS, DEFAULTS);
  await makeDueDigests(schedules, NOW + HOUR_MS, 10, silent);
  expect([made, next()]).toEqual([[], NOW + 24 * HOUR_MS]);
});

test('a schedule that fails is planned again in an hour and logged, and the others get their digests', async () => {
  const email = { ...DEFAULTS.email, status: 'daily' } as const;
  const schedule = { kind: 'daily', nextAtMs: NOW, settings: { ...DEFAULTS, email } } as const;
  const broken = { ...schedule, userId: 'broken', settings: { ...schedule.settings, timeZone: 'PST' } };
  const advanced: Advance[] = [];
  const schedules: DigestSchedules = {
    channel: 'email',
    listDue: async () => [broken, { ...schedule, userId: 'other' }],
    advance: async (advances) => advanced.push(...advances),
  };
  const logged: unknown[] = [];
  await makeDueDigests(schedules, NOW, 10, pino({}, { write: (line) => logged.push(JSON.parse(line)) }));
  expect(advanced).toMatchObject([
    { userId: 'broken', makes: undefined, thenMs: NOW + HOUR_MS, isLast: false },
    { userId: 'other', makes: { period: '2026-01-20' }, thenMs: NOW + 24 * HOUR_MS },
  ]);
  const msg = 'make digests: schedule failed, will retry';
  expect(logged).toMatchObject([{ level: 50, msg, userId: 'broken', err: { type: 'RangeError' } }]);
});

test('a pass reports how many digests it found and made', async () => {
  const { schedules } = memory('daily', NOW, DEFAULTS);
  expect(await makeDueDigests(schedules, NOW, 10, silent)).toEqual({ found: 1, made: 1 });
  expect(await makeDueDigests(schedules, NOW, 10, silent)).toEqual({ found: 0, made: 0 });
});

test.each([
  ['within eight days is left alone', 8 * 24 * HOUR_MS, 0],
  ['later than that is planned anew, without a digest', 8 * 24 * HOUR_MS + 1, 1],
])('a schedule that is due %s', async (_, inMs, found) => {
  const { schedules, next } = memory('daily', NOW + inMs, DEFAULTS);
  expect(await makeDueDigests(schedules, NOW, 10, silent)).toEqual({ found, made: 0 });
  expect(next()).toBe(NOW + (found === 0 ? inMs : 24 * HOUR_MS));
});

test('a kind that is no longer wanted gets one last digest', async () => {
  const { schedules, made, next } = memory('daily', NOW, DEFAULTS);
  await makeDueDigests(schedules, NOW, 10, silent);
  expect([made, next()]).toEqual([['2026-01-20'], undefined]);
});

test.each([
  ['earlier', 6, ['2026-01-21']],
  ['later', 10, ['2026-01-20']],
])(
  'its last digest is made at the hour that was chosen in the meantime, if %s',
  async (_, digestHour, periods) => {
    const { schedules, made, next } = memory('daily', NOW, { ...DEFAULTS, digestHour });
    await makeDueDigests(schedules, NOW, 10, silent);
    expect(made).toEqual([]);
    await makeDueDigests(schedules, next() ?? NOW, 10, silent);
    expect([made, next()]).toEqual([periods, undefined]);
  },
);

test.each([
  ['across the change to daylight saving time', '2026-03-06T13:30:00.000Z', undefined, 7, true],
  ['from the day that the agency gives', '2026-03-06T23:59:00.000Z', '2026-03-06', 7, false],
  ['from a day that has not begun for the reader', '2026-03-14T00:00:00.000Z', '2026-03-14', 0, false],
])(
  'days in a status are counted by the calendar of the reader, %s',
  (_, statusChangedAt, statusDate, days, isAtLeast) => {
    const checked = [caseOf('A', { statusChangedAt, statusDate })];
    const at = { nowMs: Date.parse('2026-03-13T12:00:00.000Z'), timeZone: 'America/New_York' };
    expect(digestContent([], { checked, others: [] }, at).unchanged).toMatchObject([{ days, isAtLeast }]);
  },
);
