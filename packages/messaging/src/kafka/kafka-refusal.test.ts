import { expect, test } from 'vitest';
import { refusalOf } from './kafka-refusal.ts';

const withCode = (code: string) =>
  new Error('the client gave up', { cause: Object.assign(new Error(), { code }) });

test.each([
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
])('%s is a refusal of the certificate that this client shows', (code) => {
  expect(refusalOf(withCode(code))?.advice).toContain('KAFKA_SSL_CERT');
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'])('%s is retried', (code) => {
  expect(refusalOf(withCode(code))).toBeUndefined();
});
