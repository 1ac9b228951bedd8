/** `FAULTS_FULL=1` makes every check as long and as often as it is promised; without it the same code does less. */
const full = process.env.FAULTS_FULL === '1';

export const KILL_ROUNDS = full ? 20 : 1;
export const CHECKS_IN_FLIGHT = full ? 1_000 : 200;
/** How long an outage lasts. */
export const OUTAGE_MS = full ? 60_000 : 2_000;
/** Roles that are restarted side by side. */
export const ROLLS_AT_ONCE = full ? 1 : 8;
/** Of the secrets whose rotation is tested. */
export const SHOWN_ABLE_TO_FAIL = full ? 3 : 1;
export const PROPERTY_RUNS = full ? 200 : 12;
/** For a test that does everything the number of rounds says. */
export const TEST_TIMEOUT_MS = full ? 3_600_000 : 180_000;
