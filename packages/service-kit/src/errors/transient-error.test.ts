import { expect, test } from 'vitest';
import { isLimitExceeded, isTransient } from './transient-error.ts';

const withCode = (code: unknown) => Object.assign(new Error('failed'), { code });
/** An error wrapped in the given number of others. */
const below = (levels: number, error: Error): Error =>
  levels === 0 ? error : new Error('wrapped', { cause: below(levels - 1, error) });

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
])('a connection that fails with %s is transient', (code) => {
  expect(isTransient(withCode(code))).toBe(true);
});

test.each([
  ...['08000', '08006', '53100', '53300', '57P01', '57P05', '57014'],
  ...['40001', '40P01', '55P03', '25006', '25P03', '25P04'],
])('the SQLSTATE %s is about the server or a conflict: transient', (code) => {
  expect(isTransient(withCode(code))).toBe(true);
});

test.each(['23505', '25P02', '42P01', '57P06', '40002', '080060', '108006', 'ENOENT', 8006, undefined])(
  'the code %s is about the statement or a defect: not transient',
  (code) => {
    expect(isTransient(withCode(code))).toBe(false);
  },
);

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
  'Connection ended',
])('node-postgres’ "%s", which has no code, is transient', (message) => {
  expect(isTransient(new Error(message))).toBe(true);
  expect(isTransient(new Error(`not so: ${message}`))).toBe(false);
});

test('the reason may lie below other errors, or be one of several', () => {
  const refused = withCode('ECONNREFUSED');
  expect(isTransient(new Error('lookup failed', { cause: refused }))).toBe(true);
  expect(isTransient(new AggregateError([new Error('a defect'), refused]))).toBe(true);
  expect(isTransient(new AggregateError([new Error('a defect')]))).toBe(false);
});

test('no more than eight errors are looked at, so that errors which name each other come to an end', () => {
  expect(isTransient(below(7, withCode('ECONNREFUSED')))).toBe(true);
  expect(isTransient(below(8, withCode('ECONNREFUSED')))).toBe(false);
  const own = new Error('its own cause');
  own.cause = own;
  expect(isTransient(own)).toBe(false);
});

test.each([undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }])('%s is no error', (thrown) => {
  expect(isTransient(thrown)).toBe(false);
});

test.each(['57014', '55P03', '25P03', '25P04', '53200', '53400'])(
  'the SQLSTATE %s is a limit that the statement may always exceed',
  (code) => {
    expect(isLimitExceeded(withCode(code))).toBe(true);
    expect(isLimitExceeded(below(2, withCode(code)))).toBe(true);
    expect(isLimitExceeded(new AggregateError([withCode(code)]))).toBe(true);
  },
);

test('a statement that got no answer in time may always exceed it', () => {
  expect(isLimitExceeded(new Error('Query read timeout'))).toBe(true);
});

test.each(['40001', '40P01', '53100', '53300', '57P01', '08006', 'ECONNRESET', '23505', undefined])(
  'the code %s is no limit of the statement',
  (code) => {
    expect(isLimitExceeded(withCode(code))).toBe(false);
  },
);
