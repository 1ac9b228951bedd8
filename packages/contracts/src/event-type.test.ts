import { expect, expectTypeOf, test } from 'vitest';
import { EventFormatError, type PayloadOf } from './event-type.ts';
import { caseObserved, statusChanged, type userChanged, userDeleted } from './events.ts';

const observed: PayloadOf<typeof caseObserved> = {
  receiptNumber: 'EAC9999103403',
  callNumber: '1',
  outcome: 'observed',
  status: '',
  observedAt: '2026-01-05T12:00:00.250Z',
  source: 'monitor',
  answerMs: 0,
};

test('name, type and key come from the message in proto/', () => {
  expect(userDeleted.name).toBe('user-deleted');
  expect(userDeleted.type).toBe('casewatch.events.v1.UserDeleted');
  expect(userDeleted.key({ userId: 'u1' })).toBe('u1');
  expect(caseObserved.key(observed)).toBe('EAC9999103403');
});

test('a payload comes back as it was published, empty and false values included', () => {
  const wire = JSON.parse(JSON.stringify(caseObserved.encode(observed)));
  expect(caseObserved.decode(wire)).toEqual(observed);
});

test('payloads are typed: optional only where the message says so, vocabularies as unions', () => {
  type Changed = PayloadOf<typeof statusChanged>;
  expectTypeOf<undefined>().toExtend<Changed['oldStatus']>();
  expectTypeOf<undefined>().not.toExtend<Changed['newStatus']>();
  expectTypeOf<Changed['changedAt']>().toEqualTypeOf<string>();
  expectTypeOf<PayloadOf<typeof userChanged>['tier']>().toEqualTypeOf<'free' | 'pro'>();
  expectTypeOf<{ userId: string }>().toEqualTypeOf<PayloadOf<typeof userDeleted>>();
});

test('an optional field may be absent or undefined', () => {
  const call = { callNumber: '9007199254740993' };
  const payload = {
    userId: 'u1',
    receiptNumber: 'R',
    newStatus: 'N',
    changedAt: '2026-01-05T12:00:00Z',
    ...call,
  };
  expect(statusChanged.encode({ ...payload, oldStatus: undefined })).toEqual(payload);
  expect(statusChanged.decode(payload)).toEqual(payload);
});

test('fields of a newer version are ignored when read, and refused when published', () => {
  const newer = { userId: 'u1', reason: 'asked' };
  expect(userDeleted.decode(newer)).toEqual({ userId: 'u1' });
  expect(() => userDeleted.encode(newer)).toThrow(EventFormatError);
});

test('what would not parse is not published', () => {
  const unfit: unknown[] = [
    { ...observed, status: 1 },
    { ...observed, source: 'cron' },
    { ...observed, observedAt: 'yesterday' },
    { ...observed, observedAt: undefined },
    { ...observed, receiptNumber: '' },
    { ...observed, receiptNumber: undefined },
  ];
  for (const payload of unfit)
    expect(() => caseObserved.encode(payload as typeof observed)).toThrow(EventFormatError);
});

test.each<[string, unknown]>([
  ['not an object', 'text'],
  ['nothing', null],
  ['a number where a text belongs', { ...observed, status: 1 }],
  ['a word outside the vocabulary', { ...observed, source: 'cron' }],
  ['a time that is none', { ...observed, observedAt: 'yesterday' }],
  ['no time', { ...observed, observedAt: undefined }],
  ['no key', { ...observed, receiptNumber: '' }],
])('%s does not parse', (_, json) => {
  expect(() => caseObserved.decode(json)).toThrow(EventFormatError);
});
