/** SQLSTATE classes and codes of server failures and conflicts, not of the statement (PostgreSQL, appendix A). */
const TRANSIENT_SQLSTATE = /^(08...|53...|57P0[1-5]|57014|40001|40P01|55P03|25006|25P0[34])$/;
/** Of those, the limits that a statement runs into: a statement, lock or transaction timeout, an idle transaction, memory, a configured limit. */
const LIMIT_SQLSTATE = /^(57014|55P03|25P0[34]|53200|53400)$/;
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
  return someCause(
    error,
    (code, message) =>
      TRANSIENT_SYSTEM.has(code) || TRANSIENT_SQLSTATE.test(code) || TRANSIENT_MESSAGE.test(message),
  );
}

/**
 * Returns whether a transient error is a limit that the statement ran into: the server may be slow or short of something, or
 * the statement may always exceed it. Only the outcome of other statements shows which.
 */
export function isLimitExceeded(error: unknown): boolean {
  return someCause(error, (code, message) => LIMIT_SQLSTATE.test(code) || message === 'Query read timeout');
}

/** Returns whether the test is true of the error, of one of its causes or of one of several errors. */
function someCause(error: unknown, test: (code: string, message: string) => boolean): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (test('code' in cause && typeof cause.code === 'string' ? cause.code : '', cause.message)) return true;
    if (cause instanceof AggregateError && cause.errors.some((one) => someCause(one, test))) return true;
  }
  return false;
}
