import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alertExpressions } from '../src/alert-expressions.ts';
import { createMetricsHistory } from '../src/metrics-history.ts';
import { promtool } from '../src/promtool.ts';

/** A gateway that answers `slow` of `requests` after more than a second. */
let requests = 0;
let slow = 0;
let gateway: Server;
beforeEach(async () => {
  await promtool(['--version'], '.');
  gateway = createServer((_req, res) => {
    const labels = 'service="gateway",http_route="/api/saved-cases"';
    res.end(
      [
        '# TYPE http_server_request_duration_seconds histogram',
        `http_server_request_duration_seconds_count{${labels}} ${requests}`,
        `http_server_request_duration_seconds_bucket{${labels},le="1"} ${requests - slow}`,
        `http_server_request_duration_seconds_bucket{${labels},le="+Inf"} ${requests}`,
        '',
      ].join('\n'),
    );
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
}, 1_800_000);
afterEach(() => {
  gateway.close();
});

it('judges slow answers by the bounds of buckets as Prometheus 3 stores them', async () => {
  const { port } = gateway.address() as AddressInfo;
  const targets = [{ role: 'gateway', url: `http://127.0.0.1:${port}` }];
  const history = createMetricsHistory({ targets, scrapeSeconds: 60 });
  for (let scrape = 0; scrape < 10; scrape++) {
    await history.scrape();
    requests += 100;
    slow += 50;
  }
  const paging = alertExpressions('distributed').filter(
    ({ alert }) => alert === 'CasewatchLatencyBurnRate1H',
  );
  const [now] = await history.trueAt(paging);
  expect([...(now ?? [])]).toEqual(['CasewatchLatencyBurnRate1H']);
});
