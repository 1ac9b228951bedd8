import { noTelemetry, type Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { pino } from 'pino';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CardDeclined, CustomerNotFound, ProviderRefusal } from '../domain/provider.ts';
import { createStripeCalls } from './stripe-calls.ts';

// The circuit breaker reads Date.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

interface Line {
  level: number;
  msg: string;
  stripe: object;
}
const WARN = 40;
const ERROR = 50;

function start() {
  const lines: Line[] = [];
  const outcomes: unknown[] = [];
  const meter: Telemetry['meter'] = Object.assign(Object.create(noTelemetry.meter), {
    createHistogram: () => ({ record: (_seconds: number, labels: object) => void outcomes.push(labels) }),
  });
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const calls = createStripeCalls({ logger, restMs: 1_000, telemetry: { ...noTelemetry, meter } });
  return { ...calls, lines, outcomes };
}

const { errors } = Stripe;
const connection = () => new errors.StripeConnectionError({ type: 'api_error', message: 'reset' });
const broken = () => new errors.StripeAPIError({ type: 'api_error', message: 'oops', statusCode: 500 });
const limited = () =>
  new errors.StripeRateLimitError({ type: 'rate_limit_error', message: 'slow', statusCode: 429 });
const conflict = () =>
  new errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'busy', statusCode: 409 });
const refusal = () =>
  new errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'no', statusCode: 400 });
const missing = (param: string) =>
  new errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: 'none',
    statusCode: 404,
    param,
  });
const declined = () =>
  new errors.StripeCardError({ type: 'card_error', code: 'expired_card', message: 'no', statusCode: 402 });
const UNAVAILABLE = { code: 'PAYMENTS_UNAVAILABLE', retryAfterSeconds: 5 };
const failing = (error: () => Error) => () => Promise.reject(error());

test('an answer is passed on and counted', async () => {
  const { ask, find, make, outcomes, lines } = start();
  const answer = async () => 7;
  expect([await ask(answer), await find(answer), await make(answer)]).toEqual([7, 7, 7]);
  expect(outcomes).toEqual(Array(3).fill({ peer: 'stripe', outcome: 'ok' }));
  expect(lines).toEqual([]);
});

test.each<[string, () => Error, number, string]>([
  ['a lost connection', connection, WARN, 'failed'],
  ['a failure of Stripe', broken, WARN, 'failed'],
  ['too many requests', limited, ERROR, 'refused'],
  ['a refusal', refusal, ERROR, 'refused'],
  ['a missing object', () => missing('price'), ERROR, 'refused'],
])(
  '%s is unavailability to one who asks, logged at the level that fits, and counted',
  async (_what, error, level, outcome) => {
    const { ask, lines, outcomes } = start();
    await expect(ask(failing(error))).rejects.toMatchObject(UNAVAILABLE);
    expect(lines).toMatchObject([{ level, msg: 'stripe: request failed' }]);
    expect(outcomes).toEqual([{ peer: 'stripe', outcome }]);
  },
);

test('what is logged of a failure is what Stripe says of it, without its answer', async () => {
  const { ask, lines } = start();
  await ask(failing(() => missing('customer'))).catch(() => undefined);
  expect(lines[0]?.stripe).toEqual({
    type: 'StripeInvalidRequestError',
    code: 'resource_missing',
    statusCode: 404,
    message: 'none',
  });
});

test('a missing object is undefined to one who looks for it, any other failure is unavailability', async () => {
  const { find, lines } = start();
  expect(await find(failing(() => missing('id')))).toBeUndefined();
  expect(lines).toEqual([]);
  await expect(find(failing(refusal))).rejects.toMatchObject(UNAVAILABLE);
});

test('to one who asks what a customer has, a missing customer is not found, another missing object is unavailability', async () => {
  const { askOfCustomer } = start();
  expect(await askOfCustomer(async () => 7)).toBe(7);
  await expect(askOfCustomer(failing(() => missing('customer')))).rejects.toMatchObject({
    name: 'CustomerNotFound',
  });
  for (const error of [() => missing('starting_after'), refusal])
    await expect(askOfCustomer(failing(error))).rejects.toMatchObject(UNAVAILABLE);
});

test.each<[string, () => Error, object]>([
  ['a missing customer is not found', () => missing('customer'), { name: 'CustomerNotFound' }],
  ['another missing object is a refusal', () => missing('price'), { name: 'ProviderRefusal' }],
  ['a declined card is named', declined, { name: 'CardDeclined', message: 'expired_card' }],
  [
    'a refusal is one',
    refusal,
    { name: 'ProviderRefusal', isOfRequest: true, message: expect.stringContaining('not available') },
  ],
  [
    'a failure after Stripe began is an answer, too, but not about the request',
    broken,
    { name: 'ProviderRefusal', isOfRequest: false },
  ],
  ['a request in progress is none', conflict, UNAVAILABLE],
  ['too many requests are none', limited, UNAVAILABLE],
  ['a lost connection is none', connection, UNAVAILABLE],
  ['an error that is not of Stripe stays what it is', () => new TypeError('bug'), { name: 'TypeError' }],
])('of a creation %s', async (_what, error, expected) => {
  const { make } = start();
  const failure = await make(failing(error)).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject(expected);
  for (const [kind, name] of [
    [CustomerNotFound, 'CustomerNotFound'],
    [CardDeclined, 'CardDeclined'],
    [ProviderRefusal, 'ProviderRefusal'],
  ] as const)
    expect(failure instanceof kind).toBe('name' in expected && expected.name === name);
});

test('five outages in a row open the circuit: nothing is asked until the rest is over, then one request', async () => {
  const { ask, make, outcomes } = start();
  const out = failing(connection);
  for (let nth = 0; nth < 4; nth++) await expect(ask(out)).rejects.toMatchObject(UNAVAILABLE);
  // A refusal shows that Stripe is there.
  await expect(ask(failing(refusal))).rejects.toMatchObject(UNAVAILABLE);
  for (let nth = 0; nth < 4; nth++) await expect(ask(out)).rejects.toMatchObject(UNAVAILABLE);
  expect(await ask(async () => 'there')).toBe('there');
  for (let nth = 0; nth < 5; nth++) await expect(ask(out)).rejects.toMatchObject(UNAVAILABLE);
  const asked = outcomes.length;
  vi.setSystemTime(Date.now() + 999);
  await expect(ask(async () => 1)).rejects.toMatchObject(UNAVAILABLE);
  await expect(make(async () => 1)).rejects.toMatchObject(UNAVAILABLE);
  expect(outcomes).toHaveLength(asked);
  vi.setSystemTime(Date.now() + 1);
  expect(await ask(async () => 'back')).toBe('back');
});
