import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { FailureKind } from '../domain/agency-failure.ts';
import { type AgencyKey, createKeyTokens } from './key-tokens.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const [NEXT, CURRENT] = ['next', 'current'] as const;

function createKeys(names: readonly AgencyKey['name'][] = [NEXT, CURRENT]) {
  const clock = createManualClock();
  const asked: string[] = [];
  const lines: { msg: string; keys: string; level: number }[] = [];
  const failing = new Map<string, FailureKind>();
  const logger = createLogger({
    level: 'info',
    name: 'test',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const keys = names.map((name) => ({ name, clientId: name, clientSecret: 'secret', endsMs: undefined }));
  const source = createKeyTokens(keys, {
    clock,
    logger,
    ask: async ({ name }) => {
      asked.push(name);
      const kind = failing.get(name);
      return kind ? { failure: { kind } } : { token: `${name}-${asked.length}`, livesMs: 1 };
    },
  });
  return {
    clock,
    asked,
    lines,
    failing,
    source,
    states: () => Object.fromEntries(source.states().map(({ name, ...state }) => [name, state])),
    /** The keys asked by one request, and what came of it. */
    async request() {
      asked.length = 0;
      const reply = await source.request();
      const result = 'failure' in reply ? reply.failure.kind : reply.token.split('-')[0];
      return [...asked, `-> ${result}`].join(' ');
    },
  };
}

test('the newer keys are used, and the others once a day so that they do not lapse', async () => {
  const keys = createKeys();
  expect(await keys.request()).toBe('next current -> next');
  expect(await keys.request()).toBe('next -> next');
  await keys.clock.advance(DAY_MS - 1);
  expect(await keys.request()).toBe('next -> next');
  expect(keys.states()).toMatchObject({
    next: { isInUse: true, unusedMs: 0 },
    current: { unusedMs: DAY_MS - 1 },
  });
  await keys.clock.advance(1);
  expect(await keys.request()).toBe('next current -> next');
  expect(keys.states()).toMatchObject({ current: { isInUse: false, isRefused: false, unusedMs: 0 } });
});

test('where the newer keys are refused the others are used at once, and the newer ones tried again after an hour', async () => {
  const keys = createKeys();
  keys.failing.set(NEXT, 'credentials');
  expect(await keys.request()).toBe('next current -> current');
  await keys.clock.advance(HOUR_MS - 1);
  expect(await keys.request()).toBe('current -> current');
  expect(keys.states()).toMatchObject({ next: { isRefused: true }, current: { isInUse: true } });
  await keys.clock.advance(1);
  expect(await keys.request()).toBe('next current -> current');
  keys.failing.clear();
  await keys.clock.advance(HOUR_MS);
  expect(await keys.request()).toBe('next -> next');
  expect(keys.states()).toMatchObject({
    next: { isInUse: true, isRefused: false },
    current: { isInUse: false },
  });
  expect(keys.lines.map(({ msg, keys: name }) => `${name}: ${msg}`)).toEqual([
    'next: agency: keys refused, will try them again in an hour',
    'current: agency: keys in use',
    'next: agency: keys in use',
  ]);
});

test('older keys that end are noticed by their use of the day, while the newer ones serve', async () => {
  const keys = createKeys();
  await keys.request();
  keys.failing.set(CURRENT, 'credentials');
  await keys.clock.advance(DAY_MS);
  expect(await keys.request()).toBe('next current -> next');
  expect(keys.states()).toMatchObject({ next: { isInUse: true }, current: { isRefused: true } });
});

test('where all are refused each request asks one, in turn, and the first that is accepted stays', async () => {
  const keys = createKeys();
  keys.failing.set(NEXT, 'credentials').set(CURRENT, 'credentials');
  expect(await keys.request()).toBe('next current -> credentials');
  await keys.clock.advance(1);
  expect(await keys.request()).toBe('next -> credentials');
  await keys.clock.advance(1);
  expect(await keys.request()).toBe('current -> credentials');
  keys.failing.delete(NEXT);
  await keys.clock.advance(1);
  expect(await keys.request()).toBe('next -> next');
  expect(await keys.request()).toBe('next -> next');
  expect(keys.lines.filter(({ level }) => level === 40)).toHaveLength(2);
});

test.each<FailureKind>(['timeout', 'unavailable', 'rate-limited', 'quota-spent', 'unreachable'])(
  'a request that ends in %s says nothing of the keys',
  async (kind) => {
    const keys = createKeys();
    keys.failing.set(NEXT, kind);
    expect(await keys.request()).toBe(`next -> ${kind}`);
    expect(keys.states()).toMatchObject({ next: { isRefused: false } });
  },
);

test('keys whose first call is refused count as refused, and keys that had worked do not', async () => {
  const keys = createKeys();
  const first = await keys.source.request();
  keys.source.answered('token' in first ? first.token : '', true);
  expect(await keys.request()).toBe('current -> current');
  await keys.clock.advance(HOUR_MS);
  const again = await keys.source.request();
  keys.source.answered('token' in again ? again.token : '', false);
  keys.source.answered('token' in again ? again.token : '', true);
  expect(await keys.request()).toBe('next -> next');
});

test('a single set is asked each time', async () => {
  const keys = createKeys([CURRENT]);
  keys.failing.set(CURRENT, 'credentials');
  expect(await keys.request()).toBe('current -> credentials');
  expect(await keys.request()).toBe('current -> credentials');
  keys.failing.clear();
  expect(await keys.request()).toBe('current -> current');
  await keys.clock.advance(2 * DAY_MS);
  expect(await keys.request()).toBe('current -> current');
});
