import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ADA, BOB, type CasesFixture, startCases } from './cases-fixture.ts';

const WAITS = 'casewatch_agency_budget_wait_seconds';
const REFUSALS = 'casewatch_agency_budget_refusals_total';
const DEPTH = 'casewatch_agency_budget_queue_depth';
const CALLER = 'casewatch_agency_caller';
const HANDOVERS = 'casewatch_agency_caller_handovers_total';
const OLDEST = 'casewatch_agency_budget_queue_oldest_seconds';
const SLOW_MACHINE_MS = 15_000;

const receipt = (nth: number) => `SRC${String(3_000_000_000 + nth * 2)}`;

let telemetry: Awaited<ReturnType<typeof startScraped>>;
let cases: CasesFixture;

beforeEach(async () => {
  telemetry = await startScraped();
});
afterEach(async () => {
  await cases.stop();
  await telemetry.stop();
});

const start = async (env: Record<string, string> = {}) => {
  cases = await startCases({ clock: systemClock, telemetry, env });
};
const isCaller = () =>
  vi.waitFor(async () => expect(await telemetry.scrape()).toMatchObject({ [CALLER]: 1 }), SLOW_MACHINE_MS);

test('refusals and handovers are there from the start, so that a rate has a beginning', async () => {
  await start();
  const metrics = await telemetry.scrape();
  expect(metrics).toMatchObject({ [`${REFUSALS}{reason="second"}`]: 0, [`${REFUSALS}{reason="day"}`]: 0 });
  expect(metrics[HANDOVERS]).toBeGreaterThanOrEqual(0);
  await isCaller();
  expect(await telemetry.scrape()).toMatchObject({ [HANDOVERS]: 1 });
});

test('waiting lookups are reported by source with the age of the oldest, and their waits when they are granted', async () => {
  await start({ AGENCY_CALLS_PER_SECOND: '1', BUDGET_WAIT_MS: '30000' });
  await cases.found(receipt(0));
  const looking = [cases.found(receipt(1), ADA), cases.found(receipt(2), BOB)];
  const check = cases.check([receipt(3)]);
  await vi.waitFor(async () => {
    const { [`${DEPTH}{source="user"}`]: people, [OLDEST]: oldest } = await telemetry.scrape();
    expect(people).toBeGreaterThan(0);
    expect(oldest).toBeGreaterThan(0);
  }, SLOW_MACHINE_MS);
  await Promise.all([...looking, check]);
  const metrics = await telemetry.scrape();
  expect(metrics).toMatchObject({
    [`${DEPTH}{source="user"}`]: 0,
    [`${DEPTH}{source="monitor"}`]: 0,
    [`${WAITS}_count{source="user"}`]: 3,
    [`${WAITS}_count{source="monitor"}`]: 1,
    [OLDEST]: 0,
  });
  // Seconds: each has waited for its own second.
  const sum =
    (metrics[`${WAITS}_sum{source="user"}`] ?? 0) + (metrics[`${WAITS}_sum{source="monitor"}`] ?? 0);
  expect(sum).toBeGreaterThan(3);
  expect(sum).toBeLessThan(15);
  expect(Object.keys(metrics).join()).not.toContain(ADA.userId);
}, 60_000);

test('a refusal for the second and one for the day are counted apart; a client that leaves is none', async () => {
  await start({
    AGENCY_CALLS_PER_SECOND: '1',
    AGENCY_CALLS_PER_DAY: '2',
    AGENCY_MONITORING_SHARE: '0',
    AGENCY_TIMEOUT_MS: '4000',
    BUDGET_WAIT_MS: '2000',
  });
  const refusals = async () => {
    const metrics = await telemetry.scrape();
    return [metrics[`${REFUSALS}{reason="second"}`], metrics[`${REFUSALS}{reason="day"}`]];
  };
  // Its permit is free three seconds later.
  await cases.fault({ mode: 'timeout', receiptNumber: receipt(0), count: 1 });
  const hanging = cases.lookUp(receipt(0), ADA);
  await vi.waitFor(async () => expect((await cases.calls()).total).toBe(1), SLOW_MACHINE_MS);
  const leaving = new AbortController();
  const left = cases
    .call('GET', `/api/case-status/${receipt(1)}`, { as: BOB, signal: leaving.signal })
    .catch(() => 'left');
  await expect.poll(cases.waiting).toBe(1);
  leaving.abort();
  expect(await left).toBe('left');
  await expect.poll(cases.waiting).toBe(0);
  expect(await refusals()).toEqual([0, 0]);
  expect((await cases.lookUp(receipt(2), BOB)).status).toBe(429);
  expect(await refusals()).toEqual([1, 0]);
  await hanging;
  await cases.found(receipt(3), BOB);
  expect((await cases.lookUp(receipt(4), BOB)).status).toBe(503);
  expect(await refusals()).toEqual([1, 1]);
}, 60_000);
