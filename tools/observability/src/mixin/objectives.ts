import { inRelease, type Selector } from './series.ts';

/** A share of events that may be bad, over 28 days (docs/slo.md). */
export interface Objective {
  /** The label `objective` of the recorded series. */
  name: string;
  title: string;
  /** In the alerts' names. */
  alert: string;
  budget: number;
  /** What people notice while the budget burns. */
  effect: string;
  runbook: string;
  /** PromQL of the rates of all events and of the bad ones, over a window such as `5m`. */
  all: (of: Selector, window: string) => string;
  bad: (of: Selector, window: string) => string;
}

const REQUESTS = 'http_server_request_duration_seconds';
const NOTIFIED = 'casewatch_change_to_notification_seconds';
/** What users see, without what is the fault of the agency or its quota. */
const OURS = ['service="gateway"', 'fault=""'];
const NO_STREAMS = 'http_route!~".*stream"';
/** A bucket's bound: Prometheus 3 stores that of `le="1"` as `1.0`, Prometheus 2 as it is exposed. */
const atMost = (seconds: string) => `le=~"${seconds}|${seconds}.0"`;
const rate = (series: string, window: string) => `sum(rate(${series}[${window}]))`;

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'availability',
    title: 'Availability',
    alert: 'Availability',
    budget: 0.001,
    effect: 'Requests fail',
    runbook: 'availability.md',
    all: (of, window) => rate(of(`${REQUESTS}_count`, ...OURS), window),
    bad: (of, window) => rate(of(`${REQUESTS}_count`, ...OURS, 'http_response_status_code=~"5.."'), window),
  },
  {
    name: 'latency',
    title: 'Latency',
    alert: 'Latency',
    budget: 0.01,
    effect: 'Requests take longer than a second',
    runbook: 'latency.md',
    all: (of, window) => rate(of(`${REQUESTS}_count`, ...OURS, NO_STREAMS), window),
    bad: (of, window) =>
      `${rate(of(`${REQUESTS}_count`, ...OURS, NO_STREAMS), window)} - ${rate(of(`${REQUESTS}_bucket`, ...OURS, NO_STREAMS, atMost('1')), window)}`,
  },
  {
    name: 'notification',
    title: 'Notification',
    alert: 'Notification',
    budget: 0.01,
    effect: 'Notifications are stored more than five seconds after the check',
    runbook: 'notification-delay.md',
    all: (of, window) => rate(of(`${NOTIFIED}_count`), window),
    bad: (of, window) =>
      `${rate(of(`${NOTIFIED}_count`), window)} - ${rate(of(`${NOTIFIED}_bucket`, atMost('5')), window)}`,
  },
];

/** Windows of the burn rates: the long one shows that it matters, the short one that it still lasts. */
export const BURN_RATES = [
  { name: '1H', rate: 14.4, long: '1h', short: '5m', for: '2m', severity: 'page' },
  { name: '6H', rate: 6, long: '6h', short: '30m', for: '2m', severity: 'page' },
  { name: '1D', rate: 3, long: '1d', short: '2h', for: '15m', severity: 'ticket' },
  { name: '3D', rate: 1, long: '3d', short: '6h', for: '15m', severity: 'ticket' },
] as const;

/** Bad events in the long window below which no burn rate alerts: with little traffic one failure is a large share. */
export const FEWEST_BAD = 10;

/** Names of the recorded series, of which each has the label `objective`. */
export const RECORDED = {
  all: (window: string) => `casewatch:slo_events:rate${window}`,
  bad: (window: string) => `casewatch:slo_bad_events:rate${window}`,
  spent: 'casewatch:slo_budget_spent:ratio28d',
};

const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];
const SECONDS = { m: 60, h: 3_600, d: 86_400 };

function secondsIn(window: string): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(window) ?? [];
  return Number(count) * (unit === 'm' || unit === 'h' || unit === 'd' ? SECONDS[unit] : Number.NaN);
}

/** Rates of all and of bad events over each window, and how much of the error budget of 28 days is spent (1: all of it). */
export function recordingsOf({ name, budget, all, bad }: Objective) {
  const labels = { objective: name };
  const recorded = (series: string) => inRelease(series, `objective="${name}"`);
  const month = (series: string) => `sum_over_time(${recorded(series)}[28d])`;
  return [
    ...WINDOWS.flatMap((window) => [
      { record: RECORDED.all(window), expr: all(inRelease, window), labels },
      // 0 instead of no series while none was bad.
      {
        record: RECORDED.bad(window),
        expr: `(${bad(inRelease, window)}) or 0 * ${all(inRelease, window)}`,
        labels,
      },
    ]),
    {
      record: RECORDED.spent,
      expr: `${month(RECORDED.bad('5m'))} / (${month(RECORDED.all('5m'))} > 0) / ${budget}`,
      labels,
    },
  ];
}

export function burnRateAlertsOf({ name, alert, budget, effect, runbook }: Objective) {
  const of = (series: string) => inRelease(series, `objective="${name}"`);
  return BURN_RATES.map((burn) => {
    const above = (window: string) =>
      `${of(RECORDED.bad(window))} / ${of(RECORDED.all(window))} > (${burn.rate} * ${budget})`;
    const enough = `${of(RECORDED.bad(burn.long))} * ${secondsIn(burn.long)} >= ${FEWEST_BAD}`;
    return {
      alert: `Casewatch${alert}BurnRate${burn.name}`,
      expr: [above(burn.long), above(burn.short), enough].join('\nand\n'),
      for: burn.for,
      severity: burn.severity,
      summary: `${effect}: the error budget is spent ${burn.rate} times as fast as it may be (${burn.long} and ${burn.short}).`,
      runbook,
    };
  });
}
