import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** The payments simulator of evaluation installs. */

const FULL = 'r-casewatch';
const SIMULATOR = fileURLToPath(new URL('../../../../simulators/payments/src/main.ts', import.meta.url));
const ON = { 'simulators.payments.enabled': 'true' };
const HOST = { 'simulators.payments.publicUrl': 'https://payments.example.com' };
let evaluation: Manifest[];
let published: Manifest[];
beforeAll(async () => {
  [evaluation = [], published = []] = await Promise.all([
    renderChart(['evaluation']),
    renderChart(['large'], {
      ...ON,
      ...HOST,
      'simulators.enabled': 'true',
      'secrets.stripe.name': '',
      'networkPolicy.ingressFrom[0].podSelector.matchLabels.app': 'gateways',
    }),
  ]);
}, 1_800_000);

const deployment = (manifests: Manifest[], name: string) => named(manifests, 'Deployment', `${FULL}-${name}`);
const refused = (set: Record<string, string>, install = 'small') =>
  renderChart([install], set).then(
    () => '',
    (error) => String(error.stderr),
  );

it('billing calls the payments simulator, which reports to the gateway, with the keys of one release', () => {
  const billing = environment(deployment(evaluation, 'billing'));
  const simulator = environment(deployment(evaluation, 'payments-simulator'));
  expect(billing.STRIPE_API_BASE).toBe(`http://${FULL}-payments-simulator:8080`);
  expect(named(evaluation, 'Service', `${FULL}-payments-simulator`).spec).toMatchObject({
    selector: { 'app.kubernetes.io/component': 'payments-simulator' },
  });
  expect(simulator.PAYMENTS_SIMULATOR_WEBHOOK_URL).toBe(`http://${FULL}-gateway:8080/api/webhooks/stripe`);
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    expect(billing[name]).toMatch(/^(sk_test|pk_test|whsec)_[0-9a-f]{32}$/);
    expect(simulator[name]).toBe(billing[name]);
  }
});

it('browsers load its script from where the values say, and the gateway allows it to pages', () => {
  expect(at(named(evaluation, 'ConfigMap', FULL), 'data', 'STRIPE_SCRIPT_URL')).toBe(
    'http://localhost:8082/v3/',
  );
  expect(at(named(published, 'ConfigMap', FULL), 'data', 'STRIPE_SCRIPT_URL')).toBe(
    'https://payments.example.com/v3/',
  );
});

it('is not there unless it is asked for', async () => {
  for (const install of ['small', 'large']) {
    const manifests = await renderChart([install]);
    expect(JSON.stringify(manifests.filter(({ kind }) => kind !== 'NetworkPolicy'))).not.toMatch(
      /"[^"]*-payments-simulator[":]|STRIPE_SCRIPT_URL|STRIPE_API_BASE/,
    );
  }
});

it('a host of its own is published with the product, and its control API is not', () => {
  const backend = `${FULL}-payments-simulator`;
  const ingress = named(published, 'Ingress', FULL);
  expect(at(ingress, 'spec', 'rules', 1)).toMatchObject({
    host: 'payments.example.com',
    http: { paths: [{ path: '/', backend: { service: { name: backend } } }] },
  });
  expect(at(ingress, 'spec', 'tls', 0, 'hosts')).toEqual(['casewatch.example.com', 'payments.example.com']);
  expect(named(published, 'HTTPRoute', `${FULL}-payments`).spec).toMatchObject({
    hostnames: ['payments.example.com'],
    rules: [{ backendRefs: [{ name: backend, port: 8080 }] }],
  });
  const ways = (manifests: Manifest[]) =>
    ofKind(manifests, 'NetworkPolicy').filter(
      (policy) => JSON.stringify(at(policy, 'spec', 'policyTypes')) === '["Ingress"]',
    );
  expect(ways(published).map(({ metadata }) => metadata.name)).toContain(backend);
  for (const way of ways(published)) {
    expect(at(way, 'spec', 'ingress')).toEqual([
      {
        from: [{ podSelector: { matchLabels: { app: 'gateways' } } }],
        ports: [{ protocol: 'TCP', port: 8080 }],
      },
    ]);
  }
  expect(ways(evaluation)).toHaveLength(1);
  expect(ofKind(evaluation, 'HTTPRoute')).toEqual([]);
  const names = Object.keys(environment(deployment(published, 'payments-simulator')));
  expect(names).not.toContain('PAYMENTS_SIMULATOR_CONTROL_FROM');
});

it('runs with the settings that the chart gives it', async () => {
  const pod = deployment(evaluation, 'payments-simulator');
  const env = environment(pod);
  const child = spawn(process.execPath, [SIMULATOR], {
    env: {
      PATH: process.env.PATH,
      ...env,
      PAYMENTS_SIMULATOR_PORT: '0',
      PAYMENTS_SIMULATOR_HOST: '127.0.0.1',
      PAYMENTS_SIMULATOR_STATE_FILE: undefined,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      exited.then(([code]) => Promise.reject(new Error(`the simulator exited with ${code}`))),
    ]);
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(String(line)));
    const probe = z.string().parse(at(podSpec(pod), 'containers', 0, 'readinessProbe', 'httpGet', 'path'));
    const script = await fetch(new URL(probe, url));
    expect(script.status).toBe(200);
    const prices = await fetch(`${url}/v1/prices`, {
      headers: {
        authorization: `Bearer ${environment(deployment(evaluation, 'billing')).STRIPE_SECRET_KEY}`,
      },
    });
    expect(prices.status).toBe(200);
  } finally {
    child.kill();
    await exited;
  }
});

it.each([
  [{ 'simulators.enabled': 'false' }, /simulators\.payments\.enabled: for evaluation only/],
  [{ 'secrets.stripe.name': 'casewatch-stripe' }, /simulators\.payments\.enabled: take either/],
  [{ 'simulators.payments.publicUrl': 'http://localhost:8082/pay' }, /publicUrl/],
])('refuses real payments or a real install with it: %o', async (set, place) => {
  expect(await refused({ ...ON, ...set })).toMatch(place);
});

it('refuses a host that it would share with the product', async () => {
  const operator = {
    name: 'Example Agency',
    address: 'Springfield',
    jurisdiction: 'Example',
    email: 'a@example.com',
  };
  const shared = {
    publicUrl: 'https://casewatch.example.com',
    'policies.date': '2026-12-01',
    ...Object.fromEntries(Object.entries(operator).map(([name, value]) => [`operator.${name}`, value])),
    ...ON,
  };
  const output = await refused({
    ...shared,
    'simulators.payments.publicUrl': 'https://casewatch.example.com:444',
  });
  expect(output).toContain('simulators.payments.publicUrl: needs a host of its own');
  expect(await refused(shared)).toBe('');
});
