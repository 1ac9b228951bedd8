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

test.each([
  ...['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['28P01', '28000'],
])('the code %s says that the database is unavailable', (code) => {
  expect(isUnavailable(Object.assign(new Error('failed'), { code }))).toBe(true);
});

test.each([
  ...['AuthenticationFailed', 'DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'],
  'TooManyConnections',
])('%s of Prisma’s driver adapter says so too', (kind) => {
  expect(isUnavailable(Object.assign(new Error('failed'), { kind }))).toBe(true);
});

test('a client of Prisma that can’t be set up is unavailable, whatever its code', () => {
  const error = Object.assign(new Error('no engine'), { name: 'PrismaClientInitializationError' });
  expect(isUnavailable(error)).toBe(true);
});

test('no more than eight errors are looked at, so that errors which name each other come to an end', () => {
  const below = (levels: number): Error =>
    levels === 0
      ? Object.assign(new Error('no server'), { code: 'P1001' })
      : new Error('wrapped', { cause: below(levels - 1) });
  expect([isUnavailable(below(7)), isUnavailable(below(8))]).toEqual([true, false]);
  const own = new Error('its own cause');
  own.cause = own;
  expect(isUnavailable(own)).toBe(false);
});
