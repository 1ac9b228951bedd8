import { expect, test } from 'vitest';
import { outcomeOf } from './smtp-outcome.ts';

const failure = (code: string, command: string, responseCode?: number, text = '<ada@people.example>') =>
  Object.assign(new Error('550 <ada@people.example> is not here'), {
    code,
    command,
    responseCode,
    ...(responseCode === undefined ? {} : { response: `${responseCode} ${text}` }),
  });

test.each([
  ['a refused recipient', failure('EENVELOPE', 'RCPT TO', 550), { kind: 'refused', reason: 'smtp-550' }],
  [
    'an unknown recipient',
    failure('EENVELOPE', 'RCPT TO', 550, '5.1.1 <ada@people.example> is not here'),
    { kind: 'refused', reason: 'smtp-550-5.1.1', means: 'no-such-address' },
  ],
  [
    'our quota',
    failure('EMESSAGE', 'DATA', 550, '5.4.5 Daily user sending limit exceeded'),
    { kind: 'unavailable', reason: 'emessage-550-5.4.5' },
  ],
  [
    'a message larger than the server has announced',
    failure('EMESSAGE', 'MAIL FROM'),
    { kind: 'refused', reason: 'too-large' },
  ],
  ['a refused message', failure('EMESSAGE', 'DATA', 554), { kind: 'refused', reason: 'smtp-554' }],
  ['an address that is none', failure('EENVELOPE', 'API'), { kind: 'refused', reason: 'bad-address' }],
  ['a full mailbox', failure('EENVELOPE', 'RCPT TO', 452), { kind: 'deferred', reason: 'smtp-452' }],
  ['the first of the refusals', failure('EMESSAGE', 'DATA', 500), { kind: 'refused', reason: 'smtp-500' }],
  ['the first of the delays', failure('EMESSAGE', 'DATA', 400), { kind: 'deferred', reason: 'smtp-400' }],
  ['a message put off', failure('EMESSAGE', 'DATA', 451), { kind: 'deferred', reason: 'smtp-451' }],
  [
    'a server about to stop',
    failure('EENVELOPE', 'RCPT TO', 421),
    { kind: 'unavailable', reason: 'eenvelope-421' },
  ],
  [
    'a session out of order',
    failure('EENVELOPE', 'RCPT TO', 503),
    { kind: 'unavailable', reason: 'eenvelope-503' },
  ],
  [
    'our own sender refused',
    failure('EENVELOPE', 'MAIL FROM', 550),
    { kind: 'unavailable', reason: 'eenvelope-550' },
  ],
  ['a wrong password', failure('EAUTH', 'AUTH PLAIN', 535), { kind: 'unavailable', reason: 'eauth-535' }],
  ['no connection', failure('ESOCKET', 'CONN'), { kind: 'unavailable', reason: 'esocket' }],
  ['a connection that ended', failure('ECONNECTION', 'DATA'), { kind: 'unavailable', reason: 'econnection' }],
  ['no TLS', failure('ETLS', 'STARTTLS', 454), { kind: 'unavailable', reason: 'etls-454' }],
  ['something else', new TypeError('x is not a function'), { kind: 'unavailable', reason: 'eunknown' }],
  [
    'a code that is a sentence',
    failure('550 <ada@people.example>', 'CONN'),
    { kind: 'unavailable', reason: 'eunknown' },
  ],
  ['nothing', undefined, { kind: 'unavailable', reason: 'eunknown' }],
] as const)('%s is reported as a code without personal data', (_, error, outcome) => {
  expect(outcomeOf(error)).toEqual(outcome);
});
