import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressPrefix, limitKey, siteKey } from './limit-key.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['0:0::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:198.51.100.23', '198.51.100.23'],
  ['::ffff:192.0.2.7%eth0', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['2001:db8::ffff:192.0.2.7', '2001:db8:0:0::/64'],
  ['192.0.2.7:50123', '192.0.2.7:50123'],
  ['', ''],
])('%j counts as %j', (address, key) => {
  expect(limitKey(address)).toBe(key);
});

test.each([
  ['192.0.2.7', undefined],
  ['::ffff:192.0.2.7', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['', undefined],
])('the site of %j is %j', (address, key) => {
  expect(siteKey(address)).toBe(key);
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['198.51.100.23', '198.51.100.0/24'],
  ['::ffff:198.51.100.23', '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['passcode', 'passcode'],
  ['', ''],
])('the network of %j in the audit trail is %j', (address, network) => {
  expect(addressPrefix(address)).toBe(network);
});

test('every address of one /64 has one key, however it is written, and no address of another', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const network = fc.tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group, group, group);
  const host = fc.tuple(group, group, group, group);
  fc.assert(
    fc.property(network, network, host, host, (one, other, hostA, hostB) => {
      const canonical = (groups: number[]) =>
        new URL(`http://[${groups.map((part) => part.toString(16)).join(':')}]`).hostname.slice(1, -1);
      const padded = (groups: number[]) =>
        groups.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':');
      expect(limitKey(canonical([...one, ...hostA]))).toBe(limitKey(padded([...one, ...hostB])));
      const same = one.join() === other.join();
      expect(limitKey(canonical([...one, ...hostA])) === limitKey(canonical([...other, ...hostA]))).toBe(
        same,
      );
    }),
  );
});
