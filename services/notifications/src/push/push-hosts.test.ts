import { expect, test } from 'vitest';
import {
  createHostCheck,
  isPublicAddress,
  isPushHost,
  KNOWN_PUSH_HOSTS,
  lookUpPublic,
} from './push-hosts.ts';

const isKnown = createHostCheck(KNOWN_PUSH_HOSTS.split(','));

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('%s is the address of a known push service', (endpoint) => {
  expect(isKnown(endpoint)).toBe(true);
});

test.each([
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
  'https://fcm.googleapis.com./x',
  'https://fcm.googleapis.com.example.com/x',
  'https://fcm.googleapis.com@example.com/x',
  'https://notify.windows.com/x',
  'https://notify.windows.com.example.com/x',
  'https://xnotify.windows.com/x',
  'https://example.com/?.notify.windows.com',
  'https://example.com#.notify.windows.com',
  'not an address',
])('%s is not', (endpoint) => {
  expect(isKnown(endpoint)).toBe(false);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'ff02::1',
  'localhost',
])('%s is not an address on the internet', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['142.250.72.10', '17.57.144.20', '2607:f8b0:4004:c07::5f', '172.32.0.1'])(
  '%s is an address on the internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test('a name that leads to a private address is not connected to', async () => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  lookUpPublic('localhost', { all: true }, (error) => resolve(error?.code));
  expect(await promise).toBe('EPRIVATE');
});

test.each(['fcm.googleapis.com', '*.notify.windows.com', '127.0.0.1:8443'])('%s may be listed', (entry) => {
  expect(isPushHost(entry)).toBe(true);
});

test.each(['', '*', 'https://example.com', 'example.com/path', 'a b', '*.*.com', 'user@example.com'])(
  '"%s" may not be listed',
  (entry) => expect(isPushHost(entry)).toBe(false),
);
