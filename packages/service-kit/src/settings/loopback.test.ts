import { expect, test } from 'vitest';
import { isLoopback, isOutsideLoopback } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '::',
  '[::]',
  '192.168.1.2',
  '127.0.0.1.example',
  'localhost.example',
  'notlocalhost',
  '1127.0.0.1',
  '',
])('%j is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});

test.each([
  [{}, false],
  [{ HOST: '', PUBLIC_URL: '' }, false],
  [{ HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080' }, false],
  [{ HOST: '::1', PUBLIC_URL: 'https://[::1]:8443' }, false],
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ HOST: '127.0.0.1', PUBLIC_URL: 'https://cases.example' }, true],
  [{ PUBLIC_URL: 'http://192.168.1.2:8080' }, true],
  [{ PUBLIC_URL: 'no address' }, true],
  [{ TRUST_PROXY_HOPS: '0' }, false],
  [{ TRUST_PROXY_HOPS: '' }, false],
  [{ HOST: '127.0.0.1', TRUST_PROXY_HOPS: '1' }, true],
])('a process that listens and is opened at %j is outside loopback: %s', (settings, isOutside) => {
  expect(isOutsideLoopback(settings)).toBe(isOutside);
});
