import { randomUUID } from 'node:crypto';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { uuidV7Time } from '@casewatch/service-kit/database/uuid-v7';
import { expect, test } from 'vitest';
import { dueReminder, type ReminderParts, reminderId, remindOfDates } from './date-reminders.ts';

const NEW_YORK = { timeZone: 'America/New_York', digestHour: 8 };
const SET = '2026-01-01T00:00:00Z';
const at = (time: string) => Date.parse(time);
const due = (day: string, time: string, timing = NEW_YORK, setAt = SET) =>
  dueReminder({ day, setAt }, timing, at(time));

test('reminders are due 30, 14, 7, 3 and 1 days before and on the day, at the hour of the user', () => {
  const found: [string, number][] = [];
  let before: number | undefined;
  for (let ms = at('2026-04-01T00:00:00Z'); ms < at('2026-06-10T00:00:00Z'); ms += 900_000) {
    const now = dueReminder({ day: '2026-06-01', setAt: SET }, NEW_YORK, ms);
    if (now !== undefined && now !== before) found.push([new Date(ms).toISOString().slice(0, 16), now]);
    before = now;
  }
  expect(found).toEqual([
    ['2026-05-02T12:00', 30],
    ['2026-05-18T12:00', 14],
    ['2026-05-25T12:00', 7],
    ['2026-05-29T12:00', 3],
    ['2026-05-31T12:00', 1],
    ['2026-06-01T12:00', 0],
  ]);
  expect(before).toBeUndefined();
});

test('the hour is the local one on both sides of a change of the clocks', () => {
  // Clocks go forward on March 8 and back on November 1: days of 23 and 25 hours.
  expect(due('2026-03-08', '2026-03-07T12:59:59Z')).toBe(3);
  expect(due('2026-03-08', '2026-03-07T13:00:00Z')).toBe(1);
  expect(due('2026-03-08', '2026-03-08T11:59:59Z')).toBe(1);
  expect(due('2026-03-08', '2026-03-08T12:00:00Z')).toBe(0);
  expect(due('2026-11-01', '2026-10-31T12:00:00Z')).toBe(1);
  expect(due('2026-11-01', '2026-11-01T12:59:59Z')).toBe(1);
  expect(due('2026-11-01', '2026-11-01T13:00:00Z')).toBe(0);
  // An hour that the clocks skip is the moment at which they do.
  const two = { timeZone: 'America/New_York', digestHour: 2 };
  expect(due('2026-03-08', '2026-03-08T06:59:59Z', two)).toBe(1);
  expect(due('2026-03-08', '2026-03-08T07:00:00Z', two)).toBe(0);
});

test('quiet hours that last beyond the day do not hold the reminder of the day until it is over', () => {
  const night = { ...NEW_YORK, digestHour: 22, quietHours: { from: '21:00', until: '07:00' } };
  expect(due('2026-06-01', '2026-06-01T23:59:59Z', night)).toBe(1);
  expect(due('2026-06-01', '2026-06-02T00:00:00Z', night), 'an hour before they begin').toBe(0);
  const early = { ...night, digestHour: 5 };
  expect(due('2026-06-01', '2026-06-01T08:59:59Z', early)).toBe(1);
  expect(due('2026-06-01', '2026-06-01T09:00:00Z', early), 'they end on the same day').toBe(0);
});

test('after missed days the newest reminder alone is due, the last one for a day', () => {
  expect(due('2026-06-01', '2026-05-20T00:00:00Z')).toBe(14);
  expect(due('2026-06-01', '2026-05-31T00:00:00Z')).toBe(3);
  expect(due('2026-06-01', '2026-06-02T11:59:59Z')).toBe(0);
  expect(due('2026-06-01', '2026-06-02T12:00:00Z')).toBeUndefined();
  expect(due('2026-06-01', '2026-04-01T00:00:00Z')).toBeUndefined();
});

test('what was due before the date was entered is not made up for', () => {
  const entered = '2026-05-26T00:00:00Z';
  expect(due('2026-06-01', '2026-05-26T01:00:00Z', NEW_YORK, entered)).toBeUndefined();
  expect(due('2026-06-01', '2026-05-29T12:00:00Z', NEW_YORK, entered)).toBe(3);
});

test('in zones a day apart the same day begins at its own time', () => {
  const [kiritimati, samoa] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((timeZone) => ({
    timeZone,
    digestHour: 0,
  }));
  expect(due('2026-06-01', '2026-05-31T10:00:00Z', kiritimati)).toBe(0);
  expect(due('2026-06-01', '2026-06-01T10:59:59Z', samoa)).toBe(1);
  expect(due('2026-06-01', '2026-06-01T11:00:00Z', samoa)).toBe(0);
});

test('a reminder has one id, whatever the zone, and each another one', () => {
  const date = {
    id: randomUUID(),
    userId: randomUUID(),
    receiptNumber: 'EAC9999103403',
    kind: 'own',
    day: '2026-06-01',
    label: null,
    setAt: SET,
  } as const;
  const id = reminderId(date, 7);
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(uuidV7Time(id)).toBe(at('2026-05-25T00:00:00Z'));
  expect(reminderId({ ...date, label: 'x' }, 7)).toBe(id);
  const others = [
    reminderId(date, 3),
    reminderId({ ...date, day: '2026-06-02' }, 7),
    reminderId({ ...date, userId: randomUUID() }, 7),
    reminderId({ ...date, receiptNumber: 'EAC9999103404' }, 7),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

test("who has chosen no time zone is reminded in the morning of the agency's country, not in its night", async () => {
  const day = '2026-12-24';
  const date = {
    userId: randomUUID(),
    receiptNumber: 'EAC9999103403',
    id: randomUUID(),
    kind: 'own',
    label: null,
  };
  const open = { ...date, day, setAt: SET } as const;
  const reminded: string[] = [];
  const parts = {
    services: { call: async () => ({ dates: [open], next: null }) },
    settings: { readAll: async () => () => DEFAULT_NOTIFICATION_SETTINGS },
    notifyUsers: {
      async remind(due: { eventId: string }[]) {
        reminded.push(...due.map(({ eventId }) => eventId));
        return [];
      },
      committed: () => undefined,
    },
    inTransaction: (work: (tx: unknown) => unknown) => work(undefined),
  } as unknown as ReminderParts;
  for (const time of ['2026-12-24T08:00:00Z', '2026-12-24T13:59:59Z', '2026-12-24T14:00:00Z'])
    await remindOfDates(parts, at(time), new AbortController().signal);
  const ids = [1, 1, 0].map((daysBefore) => reminderId({ ...open, kind: 'own' }, daysBefore));
  expect(reminded).toEqual(ids);
});
