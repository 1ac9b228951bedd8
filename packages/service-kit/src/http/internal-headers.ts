/**
 * Headers that only the product's own processes may set. The gateway removes every one of them, and all of
 * `x-user-*`, from what a client sends.
 */
export const IDENTITY_HEADER = 'x-casewatch-identity';
/** The token of an admin session; on admin routes only, which take no other. */
export const ADMIN_HEADER = 'x-casewatch-admin';
export const ADDRESS_HEADER = 'x-casewatch-address';
export const INTERNAL_HEADER = 'x-casewatch-internal';
/** Of an answer: whose fault it is that it failed or is slow, for the gateway's metrics. */
export const FAULT_HEADER = 'x-casewatch-fault';
export const REQUEST_ID_HEADER = 'x-request-id';
