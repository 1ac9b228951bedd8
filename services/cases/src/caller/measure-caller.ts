import { movedTime } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { Pool } from 'pg';
import { IS_WAITING } from '../data/agency-queue.ts';
import type { AgencyCalls } from './agency-calls.ts';
import type { AgencyBreaker } from './breaker.ts';
import type { KeyState } from './key-tokens.ts';
import type { CallerRole } from './start-caller.ts';

const DAY_MS = 86_400_000;

const STATE = `
  SELECT
    coalesce((SELECT calls FROM agency_budget_days WHERE day = (coalesce($1::timestamptz, clock_timestamp()) AT TIME ZONE 'UTC')::date), 0)::integer AS used,
    (SELECT count(*) FROM agency_queue WHERE ${IS_WAITING} AND user_id IS NOT NULL)::integer AS users,
    (SELECT count(*) FROM agency_queue WHERE ${IS_WAITING} AND user_id IS NULL)::integer AS checks,
    coalesce((SELECT extract(epoch FROM clock_timestamp() - min(joined_at)) FROM agency_queue
      WHERE ${IS_WAITING}), 0)::float8 AS oldest`;

interface State {
  used: number;
  users: number;
  checks: number;
  oldest: number;
}

/** Measures the queue and the budget; each process says the same of the queue, and of itself whether it is the caller. */
export function measureCaller(
  meter: Meter,
  deps: {
    pool: Pool;
    caller: CallerRole;
    breaker: AgencyBreaker;
    calls: Pick<AgencyCalls, 'keyStates'>;
    callsPerDay: number;
    clock: Clock;
  },
): void {
  readGauges(
    meter,
    {
      casewatch_agency_caller: '1 in the process that calls the agency.',
      casewatch_agency_budget_queue_depth: 'Lookups of all processes that wait for their turn.',
      casewatch_agency_budget_queue_oldest_seconds: 'How long the oldest lookup has waited for its turn.',
      casewatch_agency_budget_day_used: 'Calls of today (GMT).',
      casewatch_agency_budget_day_limit: 'Calls that the agency allows a day.',
      casewatch_agency_breaker_open:
        '1 while everyone is held back because the agency failed again and again; not for single cases or users.',
      casewatch_agency_key_in_use: "1 for the set of the agency's keys whose token the caller uses.",
      casewatch_agency_key_refused: '1 for a set of keys that the agency refused when it was used last.',
      casewatch_agency_key_unused_days:
        'Days since a set of keys gave the caller a token, or since its start.',
      casewatch_agency_key_days_left:
        'Days until a set of keys ends by its date of issue, where that is set.',
    },
    async () => {
      const { rows } = await deps.pool.query<State>(STATE, [movedTime(deps.clock)]);
      const { used, users, checks, oldest } = rows[0] ?? { used: 0, users: 0, checks: 0, oldest: 0 };
      const isCaller = deps.caller.waiting() !== undefined;
      return {
        casewatch_agency_caller: isCaller ? 1 : 0,
        casewatch_agency_budget_queue_depth: [
          { value: users, attributes: { source: 'user' } },
          { value: checks, attributes: { source: 'monitor' } },
        ],
        casewatch_agency_budget_queue_oldest_seconds: oldest,
        casewatch_agency_budget_day_used: used,
        casewatch_agency_budget_day_limit: deps.callsPerDay,
        // What one found that calls no more says nothing of the agency now.
        casewatch_agency_breaker_open: isCaller && deps.breaker.isOpen() ? 1 : 0,
        ...keyReadings(deps.calls.keyStates(), isCaller, deps.clock.nowMs()),
      };
    },
  );
}

/** Only the caller uses the keys; how old they are does not depend on use. */
function keyReadings(keys: readonly KeyState[], isCaller: boolean, nowMs: number) {
  const of = (read: (key: KeyState) => number | undefined) =>
    keys.flatMap((key) => {
      const value = read(key);
      return value === undefined ? [] : [{ value, attributes: { keys: key.name } }];
    });
  return {
    casewatch_agency_key_in_use: of(({ isInUse }) => (isCaller && isInUse ? 1 : 0)),
    casewatch_agency_key_refused: of(({ isRefused }) => (isCaller && isRefused ? 1 : 0)),
    casewatch_agency_key_unused_days: of(({ unusedMs }) => (isCaller ? unusedMs / DAY_MS : undefined)),
    casewatch_agency_key_days_left: of(({ endsMs }) => endsMs && (endsMs - nowMs) / DAY_MS),
  };
}
