const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];

/** A time that must be long enough for others. A setting that no part of this process reads is not compared. */
interface Relation {
  readonly setting: string;
  readonly unitMs: number;
  /** The settings whose times follow each other within it, with their units. */
  readonly covers: readonly (readonly [setting: string, unitMs: number])[];
  /** What is needed in addition, such as the time of a write. */
  readonly alsoMs?: number;
  /** What happens where it is too short. */
  readonly otherwise: string;
}

/** Times of one setting alone, such as a lease and the time limit of what it covers, are bounds of that setting. */
const RELATIONS: readonly Relation[] = [
  {
    setting: 'MONITORING_LEASE_SECONDS',
    unitMs: SECOND_MS,
    covers: [
      ['BUDGET_WAIT_MS', 1],
      ['AGENCY_TIMEOUT_MS', 1],
    ],
    alsoMs: 2 * SECOND_MS,
    otherwise: 'a case would be checked again while its check is in progress',
  },
  {
    setting: 'UPSTREAM_TIMEOUT_SECONDS',
    unitMs: SECOND_MS,
    covers: [
      ['BUDGET_WAIT_MS', 1],
      ['AGENCY_TIMEOUT_MS', 1],
    ],
    alsoMs: SECOND_MS,
    otherwise: 'the gateway would time out a lookup that is about to be answered',
  },
  {
    setting: 'UPSTREAM_TIMEOUT_SECONDS',
    unitMs: SECOND_MS,
    covers: [['STRIPE_TIMEOUT_MS', 1]],
    alsoMs: SECOND_MS,
    otherwise: 'the gateway would time out a payment that Stripe is about to confirm',
  },
  {
    setting: 'SESSION_MAX_DAYS',
    unitMs: DAY_MS,
    covers: [['SESSION_IDLE_HOURS', HOUR_MS]],
    otherwise: 'a session would end before it has been idle for that long',
  },
  {
    setting: 'ADMIN_SESSION_HOURS',
    unitMs: HOUR_MS,
    covers: [['ADMIN_IDLE_MINUTES', MINUTE_MS]],
    otherwise: 'an admin session would end before it has been idle for that long',
  },
  {
    setting: 'SESSION_IDLE_HOURS',
    unitMs: HOUR_MS,
    covers: [['SESSION_CACHE_SECONDS', SECOND_MS]],
    otherwise: 'a session that has ended would still be accepted from the cache',
  },
  {
    setting: 'DRAIN_SECONDS',
    unitMs: SECOND_MS,
    covers: [['STREAM_DRAIN_SECONDS', SECOND_MS]],
    otherwise: 'event streams would be cut off before their time',
  },
];

const AGENCY_HOST = /(?:^|\.)uscis\.gov$/;
const SANDBOX_HOST = 'api-int.uscis.gov';
const SANDBOX_CALLS_PER_DAY = 1_000;

/** The sandbox's quota, by default or carried over, would have production answer a small part of what was agreed, unnoticed. */
function quotaProblems({
  AGENCY_BASE_URL: url,
  AGENCY_CALLS_PER_DAY: calls,
}: Readonly<Record<string, unknown>>) {
  const host = typeof url === 'string' ? (URL.parse(url)?.hostname ?? '').replace(/\.+$/, '') : '';
  if (calls !== SANDBOX_CALLS_PER_DAY || !AGENCY_HOST.test(host) || host === SANDBOX_HOST) return [];
  return [
    `AGENCY_CALLS_PER_DAY: is the sandbox's ${SANDBOX_CALLS_PER_DAY}, but AGENCY_BASE_URL is in production: set AGENCY_CALLS_PER_DAY to the daily quota that the agency has agreed to, and AGENCY_CALLS_PER_SECOND to 10`,
  ];
}

/** Returns what is wrong, a sentence for each relation that these settings, which are valid by themselves, do not keep. */
export function relationProblems(settings: Readonly<Record<string, unknown>>): string[] {
  const times = RELATIONS.flatMap(({ setting, unitMs, covers, alsoMs = 0, otherwise }) => {
    const timeOf = (name: string, unit: number) => {
      const value = settings[name];
      return typeof value === 'number' ? value * unit : undefined;
    };
    const longMs = timeOf(setting, unitMs);
    const covered = covers.map(([name, unit]) => timeOf(name, unit));
    if (longMs === undefined || covered.includes(undefined)) return [];
    const neededMs = covered.reduce<number>((sum, ms) => sum + (ms ?? 0), alsoMs);
    if (longMs >= neededMs) return [];
    const names = covers.map(([name]) => name).join(' and ');
    return [`${setting}: must be at least ${inUnits(neededMs, unitMs)} with this ${names}, or ${otherwise}`];
  });
  return [...times, ...quotaProblems(settings)];
}

const inUnits = (ms: number, unitMs: number) => String(Math.ceil(ms / unitMs));
