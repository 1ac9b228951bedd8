import { KINDS, type Kind, required } from './visitor.ts';

/** A day as it is: mostly lookups that the store answers. k6 evaluates its options once, before anything runs. */

const rate = Number(required('RATE'));
/** The slowest that a kind's p95 may be, in milliseconds. Sign-ins wait for their password hash. */
const P95_MS: Record<Kind, number> = { lookup: 500, list: 500, save: 1_000, 'sign-in': 2_000, landing: 500 };
/** Nothing is aborted for what happens while caches are empty. */
const WARM_UP = '10s';

export const options = {
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  discardResponseBodies: true,
  noCookiesReset: false,
  scenarios: {
    // Visitors come at a rate, however slow the answers are: a slow product has more of them at once.
    day: {
      executor: 'constant-arrival-rate',
      exec: 'mixedDay',
      rate,
      timeUnit: '1s',
      duration: `${required('SECONDS')}s`,
      preAllocatedVUs: Math.min(100, Math.max(10, Math.ceil(rate / 4))),
      maxVUs: 300,
      gracefulStop: '10s',
    },
  },
  // At most one request in a hundred fails, and every kind answers in time; else the run ends.
  thresholds: {
    http_req_failed: [abortOn('rate<0.01')],
    ...Object.fromEntries(
      KINDS.flatMap((kind): [string, unknown[]][] => [
        [`http_req_duration{kind:${kind}}`, [abortOn(`p(95)<${P95_MS[kind]}`)]],
        // These always hold: k6 keeps figures apart only by tags that have a threshold.
        [`http_reqs{kind:${kind}}`, ['count>=0']],
        [`http_req_failed{kind:${kind}}`, ['rate<=1']],
      ]),
    ),
  },
};

function abortOn(threshold: string) {
  return { threshold, abortOnFail: true, delayAbortEval: WARM_UP };
}

export { handleSummary, mixedDay } from './visitor.ts';
