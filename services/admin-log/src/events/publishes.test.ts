import { expect, test } from 'vitest';
import type { CallFilter, Condition } from '../domain/call-filter.ts';
import { toAuditExported, toLogsExported } from './publishes.ts';

const actor = { actor: 'Grace', actorId: 'id', role: 'owner', sessionId: 's', address: 'a' } as const;
const detailsOf = (filter: CallFilter) => toLogsExported(filter, 'csv', actor).details;

test('an export of the log is an action of its actor', () => {
  expect(toLogsExported({}, 'ndjson', actor)).toEqual({
    ...actor,
    action: 'logs.exported',
    subject: 'logs',
    success: true,
    details: { format: 'ndjson' },
  });
});

test.each<[CallFilter, object]>([
  [
    { source: 'user', success: false, statusCode: 404 },
    { source: 'user', success: 'false', statusCode: '404' },
  ],
  [{ receiptNumber: 'EAC9999103403' }, { receiptNumber: 'EAC******3403' }],
  [{ receiptStart: 'EAC99' }, { receiptNumber: 'the beginning of one' }],
  [{ userId: 'u1' }, { user: 'one' }],
  [{ nameStart: 'ana', alsoUserIds: ['u1'] }, { user: 'one' }],
  [{ request: { first: 'a', last: 'b' } }, { request: 'one' }],
  [{ traceId: 'abc' }, { request: 'one' }],
  [
    { fromMs: 0, toMs: 1_000 },
    { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:01.000Z' },
  ],
])('an export of %j is noted without what it is about', (filter, expected) => {
  expect(detailsOf(filter)).toEqual({ format: 'csv', ...expected });
});

test('what else was searched for is noted as it is written in a search', () => {
  const range = (from: number, to: number, isNot = false): Condition => ({ field: 'ms', from, to, isNot });
  const conditions: Condition[] = [
    { field: 'outcome', words: ['fault', 'quota'], isNot: false },
    { field: 'tier', words: ['pro'], isNot: true },
    range(10, Number.MAX_SAFE_INTEGER),
    range(Number.MIN_SAFE_INTEGER, 20, true),
    range(10, 20),
  ];
  expect(detailsOf({ conditions })).toEqual({
    format: 'csv',
    search: 'outcome:fault,quota -tier:pro ms:>=10 -ms:<=20 ms:10..20',
  });
});

test('an export of the audit trail is noted with what was given of its filter', () => {
  expect(toAuditExported({ action: 'survey', success: false, actor: undefined }, actor)).toEqual({
    ...actor,
    action: 'audit.exported',
    subject: 'audit',
    success: true,
    details: { action: 'survey', success: 'false' },
  });
});
