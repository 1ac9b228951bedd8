import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { registry } from '@casewatch/host/registry';
import { parse } from 'yaml';
import { z } from 'zod';
import { DRILLS, type Drill, type DrilledProduct } from './drills.ts';
import { createMetricsHistory, SCRAPE_SECONDS } from './metrics-history.ts';

/**
 * `npm run drill -- <alert>`, or all of them without a word: starts the distributed shape, breaks it, waits until the alert's
 * expression is true (its `for` is promtool's to test), repairs it as the runbook says and waits until it is false.
 */

const RULES = fileURLToPath(new URL('../../charts/casewatch/files/alerts.yaml', import.meta.url));
const TRUE_WITHIN_SECONDS = 180;
const FALSE_WITHIN_SECONDS = 180;
const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const USER = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const say = (line: string) => process.stdout.write(`${line}\n`);

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.looseObject({
          alert: z.string().optional(),
          expr: z.string(),
          annotations: z.object({ runbook_url: z.string() }).optional(),
        }),
      ),
    }),
  ),
});

const wanted = process.argv[2];
const drills = DRILLS.filter(({ alert }) => wanted === undefined || alert === wanted);
if (drills.length === 0) {
  console.error(`There is no drill of ${wanted}; known: ${DRILLS.map(({ alert }) => alert).join(', ')}.`);
  process.exit(2);
}
for (const drill of drills) await run(drill);
say(`\n${drills.length} passed, 0 failed`);

async function run(drill: Drill): Promise<void> {
  const rules = Rules.parse(parse(readFileSync(RULES, 'utf8'))).groups.flatMap((group) => group.rules);
  const rule = rules.find(({ alert }) => alert === drill.alert);
  if (!rule) throw new Error(`${drill.alert} is no alert of ${RULES}`);
  say(`\n== ${drill.alert}\n  starting the product …`);
  await using stack = new AsyncDisposableStack();
  const drilled = await startDrilled(stack);
  const targets = drilled.product.processes.map(({ role, url }) => ({ role, url }));
  const metrics = createMetricsHistory(
    targets.map((target) =>
      target.role === 'gateway' ? { ...target, url: drilled.gatewayMetricsUrl } : target,
    ),
  );

  await until('the expression is false of the healthy product', FALSE_WITHIN_SECONDS, false);
  say(`  ${drill.breaks} …`);
  await drill.break(drilled);
  await until('the expression is true', TRUE_WITHIN_SECONDS, true, drill.meanwhile);
  say(`  ${rule.annotations?.runbook_url}: ${drill.fixes} …`);
  await drill.fix(drilled);
  await until('the expression is false again', FALSE_WITHIN_SECONDS, false, drill.meanwhile);

  async function until(what: string, seconds: number, holds: boolean, meanwhile?: Drill['meanwhile']) {
    const startedMs = performance.now();
    for (;;) {
      const nextMs = performance.now() + SCRAPE_SECONDS * 1_000;
      await meanwhile?.(drilled);
      await metrics.scrape();
      const tookSeconds = (performance.now() - startedMs) / 1_000;
      if ((await metrics.holds(rule?.expr ?? '')) === holds) {
        say(`  ${what} (${tookSeconds.toFixed(0)} s)`);
        return;
      }
      if (tookSeconds > seconds) throw new Error(`${drill.alert}: not within ${seconds} s: ${what}`);
      await pause(Math.max(0, nextMs - performance.now()));
    }
  }
}

async function startDrilled(
  stack: AsyncDisposableStack,
): Promise<DrilledProduct & { gatewayMetricsUrl: string }> {
  const postgres = stack.adopt(await startOwnTestPostgres(), (started) => started.stop());
  const kafka = stack.adopt(await startOwnTestKafka(), (started) => started.stop());
  const metricsPort = await freePort();
  const product = stack.adopt(
    await startProductProcesses({
      services: registry,
      ownerUrl: postgres.ownerUrl(),
      brokers: kafka.brokers,
      roles: { gateway: { env: { METRICS_PORT: String(metricsPort) } } },
      env: { DEMO_ACCOUNTS: 'true', FRESHNESS_SECONDS: '0', LOG_LEVEL: 'warn' },
    }),
    (started) => started.stop(),
  );
  const cookie = await signIn(product.url);
  let lookups = 0;
  return {
    product,
    kafka,
    gatewayMetricsUrl: `http://127.0.0.1:${metricsPort}`,
    agencyFails: async (mode) => {
      const answer = await fetch(`${product.agency?.controlUrl}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mode: mode ?? 'none' }),
      });
      if (!answer.ok) throw new Error(`the agency simulator answered ${answer.status}`);
    },
    lookUp: async () => {
      const number = String(2 * ++lookups).padStart(10, '0');
      const answer = await fetch(`${product.url}/api/case-status/WAC${number}`, { headers: { cookie } });
      await answer.body?.cancel();
    },
  };
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: UNSAFE,
    body: JSON.stringify(USER),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
