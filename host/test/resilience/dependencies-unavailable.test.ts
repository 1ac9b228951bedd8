import { setTimeout as delay } from 'node:timers/promises';
import { mutatedBy } from '@casewatch/testing/mutation';
import type { ProxyMode } from '@casewatch/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTAGE_MS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { GIVES_UP_SENDING, TELLS_OF_A_DEFECT } from '../faults/mutations.ts';
import {
  DEPENDENCIES,
  type Dependency,
  type ProductBehindProxies,
  startProductBehindProxies,
} from '../faults/product-behind-proxies.ts';
import { beginRound } from '../faults/rounds.ts';
import { mustCome, until } from '../faults/until.ts';
import { type Answered, createVisitor, REQUESTS, type RequestName, type Visitor } from '../faults/visitor.ts';

/** R6, O9: each dependency becomes unavailable in every way, is named by the metrics, and comes back. */

const MODES: readonly ProxyMode[] = ['refuse', 'hang', { latencyMs: 2_000 }, 'reset'];
const CASES = 20;
/** The scheduler never pauses longer than a minute, whatever Retry-After says. */
const CATCHES_UP_WITHIN_MS = 90_000;
/** What does not need the dependency works as if nothing were wrong. */
const NEEDS: Record<Dependency, readonly RequestName[]> = {
  kafka: [],
  // What guards a password is refused rather than not counted.
  redis: ['sign-in'],
  postgres: ['saved cases', 'notifications', 'lookup', 'sign-in'],
  agency: ['lookup'],
};

/** What is down by the metrics; calls of the agency are counted by their outcome. */
const REPORTED_AS: Record<Dependency, string> = {
  kafka: 'kafka',
  redis: 'redis',
  postgres: 'postgresql',
  agency: 'nothing',
};

let product: ProductBehindProxies;
let visitor: Visitor;
let round = 0;
beforeAll(async () => {
  product = await startProductBehindProxies();
  visitor = await createVisitor(product.url);
}, TEST_TIMEOUT_MS);
afterAll(() => product.stop());

/** Calls everything, again and again, as long as the dependency is unavailable. */
async function requestDuringOutage(outageMs: number): Promise<Answered[]> {
  const answers: Answered[] = [];
  const endMs = performance.now() + outageMs;
  do {
    answers.push(...(await Promise.all(REQUESTS.map(visitor.ask))));
    await delay(500);
  } while (performance.now() < endMs);
  return answers;
}

/** A statement may take 15 s, and one more until the connection to an unreachable server fails. */
const MAX_ANSWER_MS = 20_000;

/** Answers that no client may get while `dependency` is unavailable. */
const wrong = (answers: readonly Answered[], dependency: Dependency): Answered[] =>
  answers.filter(({ name, status, retryAfter, tookMs }) => {
    const works = status >= 200 && status < 300;
    const isRefused =
      NEEDS[dependency].includes(name) && [429, 503].includes(status) && Number(retryAfter) > 0;
    return !(works || isRefused) || tookMs > MAX_ANSWER_MS;
  });

/** What identity's metrics say is down, when it is this alone. */
async function reportedDown(dependency: Dependency): Promise<string> {
  let down = 'nothing';
  await until(10_000, async () => {
    const metrics = await (await fetch(`${product.of('identity')[0]?.url}/metrics`)).text();
    const named = [...metrics.matchAll(/^casewatch_dependency_up\{dependency="(\w+)"\} 0/gm)];
    down = named.map(([, name]) => name).join(', ') || 'nothing';
    return down === REPORTED_AS[dependency];
  });
  return down;
}

const worksAgain = () =>
  until(CATCHES_UP_WITHIN_MS, async () => {
    await delay(200);
    return (await Promise.all(REQUESTS.map(visitor.ask))).every(({ status }) => status === 200);
  });

/** Every check is made and every event handled. */
const catchesUp = (verdict: () => Promise<{ missing: number }>, withinMs = CATCHES_UP_WITHIN_MS) =>
  until(withinMs, async () => (await verdict()).missing === 0 && (await product.lag()).behind === 0);

/** The dependency is unavailable while cases are due and users ask; then it is back. */
async function goThrough(
  dependency: Dependency,
  mode: ProxyMode,
  { outageMs = OUTAGE_MS, catchesUpWithinMs = CATCHES_UP_WITHIN_MS } = {},
) {
  // Until every dependency is back, and the gateway knows the session.
  await worksAgain();
  await product.proxies[dependency].set(mode);
  const { verdict } = await beginRound(product, ++round, CASES);
  const answers = await requestDuringOutage(outageMs);
  const down = await reportedDown(dependency);
  await product.proxies[dependency].set('pass');
  const again = await worksAgain();
  await catchesUp(verdict, catchesUpWithinMs);
  return { wrong: wrong(answers, dependency), down, again, ended: product.ended, ...(await verdict()) };
}
const AS_PROMISED = { wrong: [], again: true, ended: [], missing: 0, doubled: 0 };

describe.each(DEPENDENCIES)('while %s is unavailable', (dependency) => {
  test.each(MODES)(
    'R6: %o: what can work does, the rest says when to retry; then all catches up',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async (mode) => {
      expect(await goThrough(dependency, mode)).toEqual({ ...AS_PROMISED, down: REPORTED_AS[dependency] });
    },
  );
});

test('R6: PostgreSQL restarted in the middle of checks: nothing is lost', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { progress, verdict } = await beginRound(product, ++round, 10 * CASES);
  await mustCome('some notifications', async () => (await progress()) > 0.1);
  await product.postgres.restart();
  const caughtUp = await catchesUp(verdict);
  expect({ caughtUp, ...(await verdict()) }).toEqual({ caughtUp: true, missing: 0, doubled: 0 });
  expect(await worksAgain()).toBe(true);
  expect(product.ended).toEqual([]);
});

test('R6, shown able to fail: a relay that marks unsent events as sent loses what was observed during the outage', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const [cases] = product.of('cases');
  await cases?.restart(mutatedBy(GIVES_UP_SENDING));
  expect(
    (await goThrough('kafka', 'refuse', { outageMs: 5_000, catchesUpWithinMs: 8_000 })).missing,
  ).toBeGreaterThan(0);
  await cases?.restart(mutatedBy([]));
});

test('R6, shown able to fail: an outage answered as a defect does not say when to retry', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const [notifications] = product.of('notifications');
  await notifications?.restart(mutatedBy(TELLS_OF_A_DEFECT));
  const { wrong } = await goThrough('postgres', 'refuse');
  expect(new Set(wrong.map(({ name, status }) => `${name} ${status}`))).toEqual(
    new Set(['notifications 500']),
  );
});
