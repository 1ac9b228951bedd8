import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { hostSettings } from '../src/config.ts';
import { listenForMetrics } from '../src/metrics-listener.ts';

const telemetry = {
  ...noTelemetry,
  handleMetrics: (_req: unknown, res: { end(text: string): void }) => res.end('some_metric 1'),
  stop: async () => undefined,
};

test('metrics have a port of their own where one is set, whose address is logged, and nothing else is there', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const listen = (env: NodeJS.ProcessEnv) =>
    listenForMetrics({ settings: readSettings(hostSettings, env), telemetry, logger });
  expect(await listen({})).toBeUndefined();
  const server = await listen({ METRICS_PORT: '0' });
  const answer = await fetch(`${server?.url}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([200, 'some_metric 1']);
  expect((await fetch(`${server?.url}/`)).status).toBe(404);
  expect(lines).toMatchObject([{ level: 30, url: `${server?.url}/metrics` }]);
  await server?.drain();
});
