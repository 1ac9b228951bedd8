import { expect, test } from 'vitest';
import type { AgencyResult } from './agency.ts';
import type { FailureKind } from './agency-failure.ts';
import { askedEnding, endLookup, failedEnding, storedEnding } from './lookup.ts';

const failure = (kind: FailureKind): AgencyResult => ({ kind: 'failure', failure: { kind } });

test.each<[FailureKind, string]>([
  ['refused', 'refused'],
  ['rate-limited', 'quota'],
  ['quota-spent', 'quota'],
  ['budget-spent', 'quota'],
  ['budget-busy', 'quota'],
  ['resting', 'circuit-open'],
  ['no-caller', 'error'],
  ['credentials', 'error'],
  ['unavailable', 'fault'],
  ['maintenance', 'fault'],
  ['unexpected', 'fault'],
  ['timeout', 'fault'],
  ['unreachable', 'fault'],
  ['unreadable', 'fault'],
])('a lookup that ends with %s has the outcome %s', (kind, outcome) => {
  for (const isShared of [false, true]) {
    expect(askedEnding(failure(kind), isShared)).toEqual({ outcome, code: kind });
  }
});

test('other lookups end answered, shared, stored or not recognized', () => {
  const found: AgencyResult = { kind: 'case', case: {} as never };
  expect(askedEnding(found, false)).toEqual({ outcome: 'answered', code: undefined });
  expect(askedEnding(found, true)).toEqual({ outcome: 'shared', code: undefined });
  expect(storedEnding(true)).toEqual({ outcome: 'stored', code: undefined });
  const unknown = { outcome: 'not-recognized', code: 'not-recognized' };
  expect(askedEnding({ kind: 'not-recognized' }, false)).toEqual(unknown);
  expect(storedEnding(false)).toEqual(unknown);
});

test('an error of our own is an outage of a dependency or internal', () => {
  const lost = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(failedEnding(lost)).toEqual({ outcome: 'error', code: 'dependency-down' });
  expect(failedEnding(new Error('x'))).toEqual({ outcome: 'error', code: 'internal' });
});

test('a client that has disconnected got no answer, whatever there was to say', () => {
  const client = new AbortController();
  const requester = {
    source: 'monitor',
    lookup: {
      id: 'x',
      origin: 'single',
      requestId: undefined,
      traceId: undefined,
      startedAtMs: 0,
      signal: client.signal,
    },
  } as const;
  const end = () => endLookup('EAC9999103403', requester, storedEnding(true), 5);
  expect(end()).toMatchObject({ outcome: 'stored', calls: [], queueMs: 0, agencyMs: 0, endedAtMs: 5 });
  client.abort();
  expect(end()).toMatchObject({ outcome: 'canceled', code: 'disconnected' });
});

test('a lookup of no client ends as it ended', () => {
  const ended = endLookup('EAC9999103403', { source: 'monitor', lookup }, storedEnding(true), 5);
  expect(ended).toMatchObject({ outcome: 'stored', code: undefined });
});

const lookup = {
  id: 'l',
  origin: 'scheduled',
  requestId: undefined,
  traceId: undefined,
  startedAtMs: 0,
} as const;
