import { arriving, common, counted, rate } from './options.ts';
import { required } from './visitor.ts';

/** The mixed day in steps, each faster by half, until requests fail or p95 passes a second: the knee is the step before. */
const STEPS = Number(required('STEPS'));
const STEP_SECONDS = Number(required('STEP_SECONDS'));
const rates = Array.from({ length: STEPS }, (_, step) => Math.round(rate * 1.5 ** step));
const nameOf = (perSecond: number) => `at-${perSecond}`;

export const options = {
  ...common,
  scenarios: Object.fromEntries(
    rates.map((perSecond, step) => [
      nameOf(perSecond),
      arriving('mixedDay', perSecond, step * STEP_SECONDS, STEP_SECONDS),
    ]),
  ),
  thresholds: {
    ...Object.fromEntries(
      rates.flatMap((perSecond) => [
        [`http_req_duration{scenario:${nameOf(perSecond)}}`, [abortNow('p(95)<1000')]],
        [`dropped_iterations{scenario:${nameOf(perSecond)}}`, ['count>=0']],
      ]),
    ),
    ...counted(rates.map((perSecond) => `scenario:${nameOf(perSecond)}`)),
    http_req_failed: [abortNow('rate<0.01')],
  },
};

function abortNow(threshold: string) {
  return { threshold, abortOnFail: true, delayAbortEval: '5s' };
}

export { handleSummary, mixedDay } from './visitor.ts';
