import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

type Addressed = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } };
const from = (remoteAddress: string, forwardedFor?: string): IncomingMessage => {
  const request: Addressed = {
    socket: { remoteAddress },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  };
  // Only the two parts that the function reads.
  return request as IncomingMessage;
};

test.each([
  [0, '203.0.113.1', '10.0.0.1'],
  [0, 'claimed, 203.0.113.1', '10.0.0.1'],
  [3, 'claimed, 203.0.113.1, 10.0.0.2', '10.0.0.1'],
  [1, 'claimed,  203.0.113.1 ', '203.0.113.1'],
  [1, '::ffff:203.0.113.1', '203.0.113.1'],
  [1, '::ffff:cb00:7101', '::ffff:cb00:7101'],
  [1, undefined, '10.0.0.1'],
  [1, '203.0.113.1', '203.0.113.1'],
  [1, 'claimed, 203.0.113.1', '203.0.113.1'],
  [2, 'claimed, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
  [2, '203.0.113.1', '203.0.113.1'],
  [1, '203.0.113.1, not-an-address', '10.0.0.1'],
  [1, '', '10.0.0.1'],
  [1, '2001:db8::1', '2001:db8::1'],
  [1, 'claimed, 203.0.113.1:50123', '203.0.113.1'],
  [1, '[2001:db8::1]:50123', '2001:db8::1'],
  [1, '[2001:db8::1]', '2001:db8::1'],
  [1, '203.0.113.1:', '10.0.0.1'],
  [1, 'not-an-address:50123', '10.0.0.1'],
])('behind %i proxies X-Forwarded-For %j means %s', (hops, header, expected) => {
  expect(clientAddress(from('10.0.0.1', header), hops)).toBe(expected);
});

test('a socket that is closed has no address', () => {
  expect(clientAddress(from('', undefined), 1)).toBe('');
  expect(clientAddress({ headers: {}, socket: {} } as IncomingMessage, 1)).toBe('');
});

test('an IPv4 client of a dual-stack socket has its IPv4 address', () => {
  expect(clientAddress(from('::ffff:192.0.2.7'), 0)).toBe('192.0.2.7');
});
