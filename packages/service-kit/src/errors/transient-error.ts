/** SQLSTATE classes and codes that speak of the server or of bad luck, not of the event (PostgreSQL, appendix A). */
const TRANSIENT_SQLSTATE = /^(08...|53...|57P0[1-5]|57014|40001|40P01|55P03|25006)$/;
const TRANSIENT_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
/** node-postgres gives these no code. */
const TRANSIENT_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Connection ended)/;

/**
 * Whether something that the handler needs is away, so that trying the same event again later is right. Such
 * failures are not counted against the event.
 */
export function isTransient(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (TRANSIENT_SYSTEM.has(code) || TRANSIENT_SQLSTATE.test(code)) return true;
    if (TRANSIENT_MESSAGE.test(cause.message)) return true;
    if (cause instanceof AggregateError && cause.errors.some(isTransient)) return true;
  }
  return false;
}
