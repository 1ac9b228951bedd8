import { createECDH } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ComposeFile, type ComposeService, composeFile } from '../src/compose-file.ts';

const OBSERVED = { words: ['--profile', 'observability'] };
const OBSERVERS = ['grafana', 'jaeger', 'otel-collector', 'prometheus'];
/** Their images start as root to own their volumes. */
const DATA = ['postgres', 'redis', 'kafka'];
const Scrapes = z.object({
  scrape_configs: z.array(
    z.object({ job_name: z.string(), static_configs: z.array(z.object({ targets: z.array(z.string()) })) }),
  ),
});

let folder: string;
let plain: ComposeFile;
let observed: ComposeFile;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-compose-file-'));
  plain = await composeFile(folder);
  observed = await composeFile(folder, OBSERVED);
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rolesOf = (file: ComposeFile) =>
  Object.entries(file.services).filter(([, one]) => one.environment.SERVICES);
const named = (file: ComposeFile, name: string): ComposeService => {
  const found = file.services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
};

it('the profile adds the observability parts, and roles then send traces to the collector; without it they send none', () => {
  const names = (file: ComposeFile) => Object.keys(file.services).sort();
  expect(names(observed)).toEqual([...names(plain), ...OBSERVERS].sort());
  expect(rolesOf(plain)).toHaveLength(8);
  for (const [name] of rolesOf(plain)) {
    expect(named(plain, name).environment.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('');
    expect(named(observed, name).environment.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('http://otel-collector:4318');
  }
});

it('a collector of your own is sent to in either case', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };
  const own = await composeFile(folder, { ...OBSERVED, env });
  expect(named(own, 'cases').environment).toMatchObject(env);
});

it('every role is scraped at its port of metrics, and everything that is scraped is there', () => {
  const text = readFileSync(fileURLToPath(new URL('../prometheus.yml', import.meta.url)), 'utf8');
  const jobs = Scrapes.parse(parse(text)).scrape_configs;
  const targetsOf = (job: string) =>
    jobs
      .filter(({ job_name: name }) => name === job)
      .flatMap((one) => one.static_configs.flatMap((each) => each.targets));
  const roles = rolesOf(observed).map(([name, { environment }]) => `${name}:${environment.METRICS_PORT}`);
  expect(targetsOf('casewatch').sort()).toEqual(roles.sort());
  const hosts = jobs
    .flatMap(({ job_name: job }) => targetsOf(job))
    .map((target) => target.split(':')[0] ?? '');
  expect(hosts.filter((host) => host !== 'localhost' && !observed.services[host])).toEqual([]);
});

it('payments lead to the simulator, which browsers reach at its published port', () => {
  const billing = named(plain, 'billing').environment;
  const simulator = named(plain, 'payments-simulator').environment;
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    expect(billing[name]).toMatch(/^(sk_test|pk_test|whsec)_/);
    expect(billing[name]).toBe(simulator[name]);
  }
  expect(billing.STRIPE_API_BASE).toBe('http://payments-simulator:8080');
  expect(named(plain, 'gateway').environment.STRIPE_SCRIPT_URL).toBe('http://localhost:8082/v3/');
  expect(simulator.PAYMENTS_SIMULATOR_PUBLIC_URL).toBe('http://localhost:8082');
});

it('with keys of Stripe payments lead to Stripe, and the simulator never sees them', async () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_live_mine', STRIPE_PUBLISHABLE_KEY: 'pk_live_mine' };
  const own = await composeFile(folder, { env: keys });
  expect(named(own, 'billing').environment).toMatchObject({
    ...keys,
    STRIPE_API_BASE: '',
    STRIPE_SCRIPT_URL: '',
  });
  expect(named(own, 'gateway').environment.STRIPE_SCRIPT_URL).toBe('');
  expect(JSON.stringify(named(own, 'payments-simulator'))).not.toContain('mine');
});

it('nothing is published but on loopback, every image has a version, and everything has a health check', () => {
  for (const [name, service] of Object.entries(observed.services)) {
    expect(
      service.ports.map(({ host_ip: address }) => address).filter((address) => address !== '127.0.0.1'),
    ).toEqual([]);
    expect(service.image, name).toMatch(/:[\w.-]*[\d.]+|^casewatch:/);
    expect(service.image).not.toContain('latest');
    // Of the roles and the mailbox it is the image's; the collector's image has no shell; migrate ends.
    const isChecked = service.healthcheck !== undefined && !service.healthcheck.disable;
    const byImage = service.environment.SERVICES !== undefined;
    expect(isChecked || byImage || ['migrate', 'otel-collector'].includes(name), name).toBe(true);
    expect(service.restart, name).toBe(name === 'migrate' ? 'no' : 'unless-stopped');
  }
});

it('containers gain no privileges, and all but the data stores have no capability and a read-only file system', () => {
  for (const [name, service] of Object.entries(observed.services)) {
    expect(service.security_opt, name).toContain('no-new-privileges:true');
    if (DATA.includes(name)) continue;
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  }
});

it('what is mounted from the repository is there, and all other data is in volumes with a name', () => {
  const mounts = Object.values(observed.services).flatMap(({ volumes }) => volumes);
  const files = mounts.filter(({ type }) => type === 'bind').map(({ source }) => source);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const volumes = mounts.filter(({ type }) => type === 'volume').map(({ source }) => source);
  expect([...volumes].sort()).toEqual(Object.keys(observed.volumes).sort());
});

it('secrets are made once, readable by the owner alone, and a file that lacks some is completed', async () => {
  const file = path.join(folder, 'compose.env');
  const made = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const some = made.split('\n').filter((line) => !/^(SIMULATED_STRIPE|GRAFANA|MAIL|PUSH)/.test(line));
  writeFileSync(file, some.join('\n'));
  const completed = await composeFile(folder);
  expect(readFileSync(file, 'utf8').startsWith(some.join('\n'))).toBe(true);
  expect(named(completed, 'identity').environment.ADMIN_PASSCODE).toBe(
    named(plain, 'identity').environment.ADMIN_PASSCODE,
  );
  expect(named(completed, 'billing').environment.STRIPE_SECRET_KEY).toMatch(/^sk_test_/);
});

it('push messages are on with keys that are made once and belong together, for notifications alone', async () => {
  const first = await composeFile(folder);
  const { PUSH_VAPID_PUBLIC_KEY: publicKey, PUSH_VAPID_PRIVATE_KEY: privateKey } = named(
    first,
    'notifications',
  ).environment;
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey ?? '', 'base64url');
  expect(curve.getPublicKey('base64url')).toBe(publicKey);
  const again = await composeFile(folder, { env: { PUSH_HOSTS: 'push.example.com' } });
  expect(named(again, 'notifications').environment).toMatchObject({
    PUSH_VAPID_PUBLIC_KEY: publicKey,
    PUSH_SUBJECT: 'mailto:operator@casewatch.example',
    PUSH_HOSTS: 'push.example.com',
  });
  const others = Object.entries(first.services).filter(([name]) => name !== 'notifications');
  const given = others.flatMap(([, { environment }]) => Object.keys(environment));
  expect(given.filter((name) => name.startsWith('PUSH_'))).toEqual([]);
});
