import { movedTime } from '@casewatch/service-kit/database/database-time';
import { openLockSession } from '@casewatch/service-kit/database/lock-session';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type pg from 'pg';
import type { PauseState } from './pauses.ts';

/** How often the session proves that it is alive. */
const PROVE_EVERY_MS = 500;
/** No call leaves later than this after the last proof: the lock is another's at the earliest when the server has ended the session. */
const PROVEN_FOR_MS = 1_500;
/** What a caller that was lost has sent has arrived by then: at most the time of a proof after it, and a second on the way. */
const LOST_CALLER_MS = 3_000;
const APPLICATION = 'casewatch-agency-caller';
const QUERY_TIMEOUT_MS = 4_000;
/** The number of calls of an epoch: more than a century of them at the agency's rate. */
const CALLS_OF_EPOCH = 1_000_000_000n;

/** SQL: the advisory lock that the caller's session has. */
const CALLER_LOCK = `hashtextextended('casewatch agency caller', 0)`;

/**
 * SQL: whether the process that the row of `agency_caller` names is the caller: its session has the lock. The row stays when that has ended, and
 * the next holder of the lock has yet to write its own.
 */
export const IS_CALLED = `EXISTS (
  SELECT FROM pg_locks JOIN agency_caller USING (pid) WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = ${CALLER_LOCK})`;

/** The right to call the agency, which one process has at a time. */
export interface CallerSession {
  readonly epoch: number;
  /** Of the caller before. */
  readonly pause: PauseState;
  /** When calls may begin: what the caller before has sent has arrived. */
  readonly beginInMs: number;
  /** Aborts when the session is lost: then no call may be made. */
  readonly lost: AbortSignal;
  /** Whether no other process can be the caller: asked where the bytes of a call leave. */
  isProven(): boolean;
  /** By the database's clock. */
  nowMs(): number;
  /** Numbers a call: higher than those of all calls before, also of other callers. */
  nextCallNumber(): bigint;
  storePause(state: PauseState): Promise<void>;
  /** Whether another process would take over. */
  hasStandBy(): Promise<boolean>;
  /** Hands the right over at once. To be called when every call has arrived and a window has passed. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

const TAKE_EPOCH = `
  WITH before AS (SELECT * FROM agency_caller)
  INSERT INTO agency_caller AS caller (epoch, name, since, pid)
  VALUES (extract(epoch FROM clock_timestamp())::bigint, $1, clock_timestamp(), pg_backend_pid())
  ON CONFLICT (one) DO UPDATE SET epoch = greatest(caller.epoch + 1, EXCLUDED.epoch), name = EXCLUDED.name,
    since = EXCLUDED.since, pid = EXCLUDED.pid, left_at = NULL
  RETURNING epoch, pauses, (SELECT count(*) FROM before WHERE left_at IS NULL)::integer AS "lost",
    greatest(0, extract(epoch FROM paused_until - coalesce($2::timestamptz, clock_timestamp())) * 1000)::float8 AS "pausedMs",
    greatest(0, extract(epoch FROM quota_spent_until - coalesce($2::timestamptz, clock_timestamp())) * 1000)::float8 AS "quotaSpentMs"`;

const STAND_BY = `
  SELECT count(*)::integer AS others FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`;

const STORE_PAUSE = `
  UPDATE agency_caller SET pauses = $2, paused_until = moment + $3 * interval '1 millisecond',
    quota_spent_until = moment + $4 * interval '1 millisecond'
  FROM coalesce($5::timestamptz, clock_timestamp()) AS moment WHERE epoch = $1`;

/**
 * Opens a session and waits in it, trying every `tryEveryMs`, until this process is the caller. Resolves to undefined when `stop`
 * aborts before.
 * @throws when the database is unavailable, or the URL leads to a transaction pooler
 */
export async function becomeCaller(options: {
  databaseUrl: string;
  schema: string;
  /** For people: which process it is. */
  name: string;
  tryEveryMs: number;
  clock: Clock;
  stop: AbortSignal;
}): Promise<CallerSession | undefined> {
  const { client, lost, close } = await openLockSession({
    databaseUrl: options.databaseUrl,
    schema: options.schema,
    application: APPLICATION,
    connectTimeoutMs: QUERY_TIMEOUT_MS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
  });
  try {
    if (!(await waitForLock(client, options))) {
      await close();
      return undefined;
    }
    return await takeEpoch(client, lost, options, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function waitForLock(
  client: pg.Client,
  { tryEveryMs, stop }: { tryEveryMs: number; stop: AbortSignal },
) {
  while (!stop.aborted) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${CALLER_LOCK}) AS locked`,
    );
    if (rows[0]?.locked) return true;
    await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
  }
  return false;
}

async function takeEpoch(
  client: pg.Client,
  lost: AbortController,
  { name, clock }: { name: string; clock: Clock },
  close: () => Promise<void>,
): Promise<CallerSession> {
  let proven = instant();
  const { rows } = await client.query<{
    epoch: string;
    pauses: number;
    lost: number;
    pausedMs: number | null;
    quotaSpentMs: number | null;
  }>(TAKE_EPOCH, [name, movedTime(clock)]);
  const [row] = rows;
  if (!row) throw new Error('the agency caller has no epoch');
  const epoch = Number(row.epoch);
  let calls = 0n;
  let database = { ms: 0, at: instant() };

  async function prove(): Promise<void> {
    // The time before the question: the answer may have been on its way for long.
    const at = instant();
    const answer = await client.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    proven = at;
    database = { ms: answer.rows[0]?.now ?? 0, at: instant() };
  }
  await prove();
  // The server measures the silence, so this is real time whatever the clock of the product says.
  const proving = setInterval(() => {
    prove().catch((error: unknown) => lost.abort(error));
  }, PROVE_EVERY_MS);
  lost.signal.addEventListener('abort', () => clearInterval(proving), { once: true });
  const nowMs = () => database.ms + performance.now() - database.at.monotonicMs;

  return {
    epoch,
    pause: { leftMs: row.pausedMs ?? 0, inARow: row.pauses, quotaSpentMs: row.quotaSpentMs ?? 0 },
    beginInMs: row.lost > 0 ? LOST_CALLER_MS : 0,
    lost: lost.signal,
    isProven: () => !lost.signal.aborted && msSince(proven) < PROVEN_FOR_MS,
    nowMs,
    nextCallNumber() {
      calls += 1n;
      return BigInt(epoch) * CALLS_OF_EPOCH + calls;
    },
    async storePause({ inARow, leftMs, quotaSpentMs }) {
      await client.query(STORE_PAUSE, [epoch, inARow, leftMs, quotaSpentMs, movedTime(clock)]);
    },
    async hasStandBy() {
      const { rows } = await client.query<{ others: number }>(STAND_BY, [APPLICATION]);
      return (rows[0]?.others ?? 0) > 0;
    },
    async leave() {
      await client.query('UPDATE agency_caller SET left_at = clock_timestamp() WHERE epoch = $1', [epoch]);
    },
    async close() {
      lost.abort(new Error('closed'));
      await close();
    },
  };
}

interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

const instant = (): Instant => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** By whichever clock says more: one may stand still while the machine sleeps, the other may be set. */
function msSince({ monotonicMs, wallMs }: Instant): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
