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

test.each([
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255'],
  ['192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
  ['::', '::ffff:ffff', '::1:0:0:0'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', '64:ff9b::1:0:0'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:2::'],
  ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fbff::'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe7f::'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe7f:ffff::'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fbff:ffff::'],
])('from %s to %s addresses are reserved, and %s next to it is not', (first, last, neighbor) => {
  expect([first, last, neighbor].map(isPublicAddress)).toEqual([false, false, true]);
});

test('an address on the internet is connected to, alone or among all that a name has', async () => {
  const look = (all: boolean) =>
    new Promise((resolve) => {
      lookUpPublic('142.250.72.10', { all }, (...answer) => resolve(answer));
    });
  expect(await look(true)).toEqual([null, [{ address: '142.250.72.10', family: 4 }]]);
  expect(await look(false)).toEqual([null, '142.250.72.10', 4]);
});

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
