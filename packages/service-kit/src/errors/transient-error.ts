/** SQLSTATE classes and codes of server failures and conflicts, not of the statement (PostgreSQL, appendix A). */
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
/** Errors of node-postgres that have no code. */
const TRANSIENT_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Connection ended)/;

/**
 * Returns whether an error is transient: a dependency is unavailable, so that retrying the same event later is right. Such
 * failures do not count as attempts of the event.
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
