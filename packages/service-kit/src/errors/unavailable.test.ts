import { expect, test } from 'vitest';
import { isUnavailable } from './unavailable.ts';

const prismaError = (code: string, driverAdapterError: unknown) =>
  Object.assign(new Error('Raw query failed'), { code, meta: { driverAdapterError } });

test.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['Prisma’s own word for it', Object.assign(new Error('no server'), { code: 'P1001' })],
  ['no connection for a transaction', Object.assign(new Error('too busy'), { code: 'P2028' })],
  ['a transaction that met another one', Object.assign(new Error('deadlock'), { code: 'P2034' })],
  ['a password that the database refuses', Object.assign(new Error('no'), { code: '28P01' })],
  [
    'a password that the database refuses, in the words of Prisma’s driver',
    prismaError('P2010', Object.assign(new Error('no'), { cause: { kind: 'AuthenticationFailed' } })),
  ],
  [
    'raw SQL, whose reason lies with the driver',
    prismaError(
      'P2010',
      Object.assign(new Error('unavailable'), { cause: { kind: 'DatabaseNotReachable' } }),
    ),
  ],
  [
    'raw SQL that the server broke off',
    prismaError(
      'P2010',
      Object.assign(new Error('unavailable'), { cause: { kind: 'postgres', originalCode: '57P01' } }),
    ),
  ],
])('%s counts as unavailable', (_, error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each([
  [
    'raw SQL with a defect',
    prismaError('P2010', Object.assign(new Error('no column'), { cause: { kind: 'ColumnNotFound' } })),
  ],
  ['an error of ours', new TypeError('x is not a function')],
  ['nothing at all', undefined],
])('%s does not', (_, error) => {
  expect(isUnavailable(error)).toBe(false);
});
