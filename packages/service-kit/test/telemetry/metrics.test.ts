import { readFileSync } from 'node:fs';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterEach, expect, test } from 'vitest';
import { serverRequestAttributes } from '../../src/telemetry/http-metrics.ts';
import { measurePools } from '../../src/telemetry/pool-metrics.ts';
import { readGauges } from '../../src/telemetry/read-gauges.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
let telemetry: Awaited<ReturnType<typeof startScraped>>;
afterEach(() => telemetry.stop());

test('every process reports its version, its memory, its processor time and its timer lag', async () => {
  telemetry = await startScraped();
  const cpuSeconds = () => Object.values(process.cpuUsage()).reduce((sum, used) => sum + used) / 1e6;
  const before = cpuSeconds();
  const metrics = await telemetry.scrape();
  expect(metrics[`casewatch_build_info{version="${version}"}`]).toBe(1);
  expect(metrics.process_resident_memory_bytes).toBeGreaterThan(10_000_000);
  expect(metrics.process_cpu_seconds_total).toBeGreaterThanOrEqual(before);
  expect(metrics.process_cpu_seconds_total).toBeLessThanOrEqual(cpuSeconds());
  expect(metrics.nodejs_eventloop_lag_p99_seconds).toBeGreaterThanOrEqual(0);
});

test('a reading that fails is left out until it works again, and the rest is reported', async () => {
  telemetry = await startScraped();
  let unavailable = true;
  readGauges(telemetry.meter, { depth: 'a test' }, () => {
    if (unavailable) throw new Error('the database is unavailable');
    return { depth: [{ value: 3, attributes: { service: 'cases' } }] };
  });
  readGauges(telemetry.meter, { other: 'a test' }, async () => ({ other: 7 }));
  const first = await telemetry.scrape();
  expect(first).toMatchObject({ other: 7 });
  expect(Object.keys(first)).not.toContain('depth{service="cases"}');
  unavailable = false;
  expect(await telemetry.scrape()).toMatchObject({ 'depth{service="cases"}': 3, other: 7 });
});

test('a gauge that could be read before is left out while it cannot be', async () => {
  telemetry = await startScraped();
  let services = ['cases', 'billing'];
  readGauges(telemetry.meter, { depth: 'a test' }, () => {
    if (services.length === 0) throw new Error('the database is unavailable');
    return { depth: services.map((service) => ({ value: 3, attributes: { service } })) };
  });
  const read = async () => Object.keys(await telemetry.scrape()).filter((name) => name.startsWith('depth'));
  expect(await read()).toEqual(['depth{service="cases"}', 'depth{service="billing"}']);
  services = ['billing'];
  expect(await read()).toEqual(['depth{service="billing"}']);
  services = [];
  expect(await read()).toEqual([]);
  services = ['cases'];
  expect(await read()).toEqual(['depth{service="cases"}']);
});

test('each scrape at which a gauge cannot be read is counted, by gauge and reason', async () => {
  telemetry = await startScraped();
  let isBroken = true;
  readGauges(telemetry.meter, { depth: 'a test', age: 'a test' }, () => {
    if (isBroken) throw new Error('the database is unavailable');
    return { depth: 3, age: 1 };
  });
  readGauges(telemetry.meter, { slow: 'a test' }, () => new Promise(() => undefined), 10);
  const series = (gauge: string, reason: string) =>
    `casewatch_gauge_read_failures_total{gauge="${gauge}",reason="${reason}"}`;
  await telemetry.scrape();
  isBroken = false;
  const reported = await telemetry.scrape();
  // The failure of a scrape is in that scrape or the next one.
  expect(reported).toMatchObject({
    depth: 3,
    [series('depth', 'error')]: 1,
    [series('age', 'error')]: 1,
    [series('depth', 'timeout')]: 0,
    [series('slow', 'error')]: 0,
  });
  expect(reported[series('slow', 'timeout')]).toBeGreaterThanOrEqual(1);
});

test('connections are reported by state, for all pools of a service together', async () => {
  telemetry = await startScraped();
  const pool = (totalCount: number, idleCount: number, waitingCount: number, max: number) => ({
    totalCount,
    idleCount,
    waitingCount,
    options: { max },
  });
  measurePools(telemetry.meter, () => [{ service: 'cases', pools: [pool(5, 2, 1, 10), pool(3, 3, 0, 4)] }]);
  expect(await telemetry.scrape()).toMatchObject({
    'casewatch_db_pool_connections{service="cases",state="idle"}': 5,
    'casewatch_db_pool_connections{service="cases",state="used"}': 3,
    'casewatch_db_pool_connections{service="cases",state="waiting"}': 1,
    'casewatch_db_pool_size{service="cases"}': 14,
  });
});

test('an unknown method does not create a series', async () => {
  telemetry = await startScraped();
  expect(serverRequestAttributes('gateway', 'MKACTIVITY', '(unknown)', 404)).toEqual({
    service: 'gateway',
    http_request_method: '_OTHER',
    http_route: '(unknown)',
    http_response_status_code: '404',
  });
});
