import { KINDS, type Kind, required } from './visitor.ts';

/** k6 evaluates its options once, before anything runs. */

export const seconds = Number(required('SECONDS'));
export const rate = Number(required('RATE'));
/** The slowest that a kind's p95 may be, in milliseconds. Sign-ins wait for their password hash. */
const P95_MS: Record<Kind, number> = {
  lookup: 500,
  list: 500,
  save: 1_000,
  'sign-in': 2_000,
  landing: 500,
  bulk: 1_500,
};
/** Nothing is aborted for what happens while caches are empty. */
const WARM_UP = '10s';

/** Visitors come at a rate, however slow the answers are: a slow product has more of them at once. */
export function arriving(exec: string, perSecond: number, startSeconds = 0, forSeconds = seconds) {
  return {
    executor: 'constant-arrival-rate',
    exec,
    rate: Math.max(1, Math.round(perSecond)),
    timeUnit: '1s',
    startTime: `${startSeconds}s`,
    duration: `${forSeconds}s`,
    preAllocatedVUs: Math.min(100, Math.max(10, Math.ceil(perSecond / 4))),
    maxVUs: 300,
    gracefulStop: '10s',
  };
}

/** At most one request in a hundred fails, and every kind answers in time; else the run ends. */
export function thresholds(kinds: readonly Kind[]) {
  return {
    http_req_failed: [abortOn('rate<0.01')],
    ...Object.fromEntries(
      kinds.map((kind) => [`http_req_duration{kind:${kind}}`, [abortOn(`p(95)<${P95_MS[kind]}`)]]),
    ),
    ...counted(kinds.map((kind) => `kind:${kind}`)),
  };
}

/** Thresholds that always hold: k6 keeps figures apart only by tags that have one. */
export function counted(tags: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    tags.flatMap((tag) => [
      [`http_reqs{${tag}}`, ['count>=0']],
      [`http_req_failed{${tag}}`, ['rate<=1']],
    ]),
  );
}

export const abortOn = (threshold: string) => ({
  threshold,
  abortOnFail: true,
  delayAbortEval: WARM_UP,
});

export const common = {
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  discardResponseBodies: true,
  noCookiesReset: false,
};

export const MIX: readonly Kind[] = KINDS.filter((kind) => kind !== 'bulk');
