import { isTransient } from './transient-error.ts';

/**
 * Prisma's codes for a database that can't be reached, does not answer, or gives no connection in time (P2028: for a
 * transaction), and for a transaction that met another one (P2034).
 */
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
/** What Prisma's driver adapter calls the same before Prisma gives it a code. */
const ADAPTER_AWAY = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Whether the request failed because something behind us is away, so that trying again soon is right. */
export function isDependencyAway(error: unknown): boolean {
  if (isTransient(error)) return true;
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 8; depth++) {
    if ('code' in cause && typeof cause.code === 'string' && PRISMA_AWAY.has(cause.code)) return true;
    if ('kind' in cause && typeof cause.kind === 'string' && ADAPTER_AWAY.has(cause.kind)) return true;
    if ('name' in cause && cause.name === 'PrismaClientInitializationError') return true;
    if ('originalCode' in cause && isTransient(Object.assign(new Error(), { code: cause.originalCode })))
      return true;
    cause = causeOf(cause);
  }
  return false;
}

/** Prisma hides what its driver adapter met in `meta` when the query was raw SQL (P2010). */
function causeOf(error: object): unknown {
  if ('cause' in error && error.cause !== undefined) return error.cause;
  const meta = 'meta' in error ? error.meta : undefined;
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}
