import { expect, test } from 'vitest';
import { refusalOf } from './kafka-refusal.ts';

const withCode = (code: string) =>
  new Error('the client failed', { cause: Object.assign(new Error(), { code }) });

test.each([
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
])('%s is a refusal of the certificate that this client shows', (code) => {
  const advice = expect.stringContaining('KAFKA_SSL_CERT');
  expect(refusalOf(withCode(code))).toEqual({ advice, canBeGranted: true });
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'])('%s is retried', (code) => {
  expect(refusalOf(withCode(code))).toBeUndefined();
});

const withType = (type: unknown) => Object.assign(new Error('refused by the broker'), { type });
const TRANSIENT = withType('COORDINATOR_NOT_AVAILABLE');
const REFUSED = withType('TOPIC_AUTHORIZATION_FAILED');

/** The error wrapped in the given number of others, each the cause of the one above it. */
const below = (count: number, error: Error): Error =>
  count === 0 ? error : new Error('the client failed', { cause: below(count - 1, error) });

test.each([
  ['SASL_AUTHENTICATION_FAILED', 'KAFKA_SASL_PASSWORD', true],
  ['UNSUPPORTED_SASL_MECHANISM', 'KAFKA_SASL_MECHANISM', true],
  ['TOPIC_AUTHORIZATION_FAILED', 'KAFKA_TOPIC_PREFIX', true],
  ['GROUP_AUTHORIZATION_FAILED', 'KAFKA_TOPIC_PREFIX', true],
  ['CLUSTER_AUTHORIZATION_FAILED', 'KAFKA_TOPIC_PREFIX', true],
  ['INVALID_SESSION_TIMEOUT', 'the setting that the error names', false],
])('%s is a refusal: %s', (type, advice, canBeGranted) => {
  const refusal = refusalOf(withType(type));
  expect(refusal?.advice).toContain(advice);
  expect(refusal?.canBeGranted).toBe(canBeGranted);
});

test('a failed sign-in has no type, only a name', () => {
  const error = Object.assign(new Error('signed out'), { name: 'KafkaJSSASLAuthenticationError' });
  expect(refusalOf(error)?.advice).toContain('KAFKA_SASL_PASSWORD');
});

test('a refusal is found below up to seven errors; causes may form a circle', () => {
  expect(refusalOf(below(7, REFUSED))?.advice).toContain('KAFKA_TOPIC_PREFIX');
  expect(refusalOf(below(8, REFUSED))).toBeUndefined();
});

test('one refusal among several errors is enough, and they come before their cause', () => {
  expect(refusalOf(new AggregateError([TRANSIENT, REFUSED]))).toBe(refusalOf(REFUSED));
  expect(refusalOf(new AggregateError([TRANSIENT], '', { cause: REFUSED }))).toBe(refusalOf(REFUSED));
  expect(refusalOf(new AggregateError([REFUSED], '', { cause: withType('INVALID_GROUP_ID') }))).toBe(
    refusalOf(REFUSED),
  );
  expect(refusalOf(new AggregateError([TRANSIENT]))).toBeUndefined();
});

test.each([
  { type: ['TOPIC_AUTHORIZATION_FAILED'] },
  { code: ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'] },
  { errors: { topic: 'TOPIC_AUTHORIZATION_FAILED' } },
])('an error of another origin with %j is retried', (fields) => {
  expect(refusalOf(Object.assign(new Error(), fields))).toBeUndefined();
});
