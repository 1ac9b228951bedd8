import { expect, test } from 'vitest';
import { codeOf } from './web-push-transport.ts';

const ADDRESS = 'https://push.example.com/a-secret-address';
const failure = (code: string) => Object.assign(new Error(ADDRESS), { code });

test.each([
  ['a reset', failure('ECONNRESET'), 'ECONNRESET'],
  ['a foreign certificate', failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['a request that was ended', failure('ABORT_ERR'), 'timeout'],
  ['a time limit', new DOMException(ADDRESS, 'TimeoutError'), 'timeout'],
  ['an abort', new DOMException(ADDRESS, 'AbortError'), 'timeout'],
  ['a code that is an address', failure(ADDRESS), 'EUNKNOWN'],
  ['an error without a code', new Error(ADDRESS), 'EUNKNOWN'],
  ['no error', ADDRESS, 'EUNKNOWN'],
])('of a failed connection the log holds a word and never the address: %s', (_name, error, word) => {
  expect(codeOf(error)).toBe(word);
});
