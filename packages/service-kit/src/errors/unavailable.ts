import { isTransient } from './transient-error.ts';

/**
 * Prisma's codes for a database that is unreachable, does not answer, gives no connection in time (P2028: for a
 * transaction) or refuses the password, and for a transaction conflict (P2034). PostgreSQL's own for the password.
 */
const UNAVAILABLE = new Set([
  ...['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['28P01', '28000'],
]);
/** The names that Prisma's driver adapter gives the same errors before Prisma adds a code. */
const ADAPTER_UNAVAILABLE = new Set([
  'AuthenticationFailed',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Returns whether the request failed because a dependency is unavailable, so that retrying soon is right. */
export function isUnavailable(error: unknown): boolean {
  if (isTransient(error)) return true;
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 8; depth++) {
    if ('code' in cause && typeof cause.code === 'string' && UNAVAILABLE.has(cause.code)) return true;
    if ('kind' in cause && typeof cause.kind === 'string' && ADAPTER_UNAVAILABLE.has(cause.kind)) return true;
    if ('name' in cause && cause.name === 'PrismaClientInitializationError') return true;
    if ('originalCode' in cause && isTransient(Object.assign(new Error(), { code: cause.originalCode })))
      return true;
    cause = causeOf(cause);
  }
  return false;
}

/** Prisma puts its driver adapter's error into `meta` when the query was raw SQL (P2010). */
function causeOf(error: object): unknown {
  if ('cause' in error && error.cause !== undefined) return error.cause;
  const meta = 'meta' in error ? error.meta : undefined;
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}
