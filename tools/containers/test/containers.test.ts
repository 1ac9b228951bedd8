import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { haveBaseImages } from '../src/base-images.ts';
import { type Composition, type Container, serviceOf, startComposition } from '../src/composition.ts';
import { type ContainerEngine, startContainerEngine } from '../src/engine.ts';
import { BASE_IMAGE, repository } from '../src/product-image.ts';
import { signUp, type Visitor } from '../src/visitor.ts';

const MB = 1024 * 1024;
const LARGEST_OVER_BASE = 250 * MB;
const HARDENED = ['--rm', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
/** Of other people's images: not ours to harden. */
const DATA = ['postgres', 'redis', 'kafka'];
const OTHERS = [...DATA, 'mailbox'];
const RECEIPT = 'EAC9999103403';
const BACK_WITHIN_MS = 240_000;

let engine: ContainerEngine;
let composition: Composition;
let containers: Container[];
/** A user that signed up at the beginning, and pays for Pro. */
let visitor: Visitor;

beforeAll(async () => {
  engine = await startContainerEngine();
  await haveBaseImages(engine);
  composition = await startComposition(engine);
  containers = await composition.containers();
}, 1_800_000);

afterAll(async () => {
  await composition?.down();
  await engine?.stop();
}, 120_000);

test('docker-compose.yml comes up whole: every role is healthy, and the migration has ended well', async () => {
  const roles = containers.map(serviceOf);
  expect(roles).toEqual(expect.arrayContaining(['gateway', 'identity', 'cases', 'monitoring', ...OTHERS]));
  // A consumer that meets a broker which is still choosing its coordinator ends, and is started again.
  await untilAllAreWell();
}, 300_000);

test('the main flow works through it, up to the notification of a case that moved', async () => {
  const output = await engine.docker([
    ...['run', ...HARDENED, '--tmpfs', '/tmp', '--network', composition.network],
    ...['--env', 'SMOKE_TEST_URL=http://gateway:8080', '--env', `PUBLIC_URL=${composition.url}`],
    ...['--env', 'SMOKE_TEST_AGENCY_CONTROL_URL=http://agency-simulator:8080/__control'],
    ...['--env', 'SMOKE_TEST_SECONDS=240'],
    ...[composition.tag, 'smoke-test'],
  ]);
  expect(output).toContain('the main flow works');
}, 300_000);

test('people reach the web app at the published port, and the ports are on loopback only', async () => {
  const address = composition.url.replace('localhost', '127.0.0.1');
  const page = await fetch(address, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Casewatch');
  const addresses = containers.flatMap(({ HostConfig: { PortBindings: ports } }) =>
    Object.values(ports ?? {}).flatMap((bindings) => (bindings ?? []).map(({ HostIp }) => HostIp)),
  );
  expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
});

test('people become pro at the payments simulator, whose script the page may load', async () => {
  const address = composition.url.replace('localhost', '127.0.0.1');
  const page = await fetch(address, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-security-policy')).toContain(composition.paymentsUrl);
  visitor = await signUp(composition.url);
  const config = z
    .object({ scriptUrl: z.url(), publishableKey: z.string() })
    .parse(await visitor.call('GET', '/api/billing/config'));
  expect(config.scriptUrl).toBe(`${composition.paymentsUrl}/v3/`);
  expect(await (await fetch(config.scriptUrl)).text()).toContain('window.Stripe');

  const [price] = z.array(z.object({ id: z.string() })).parse(await visitor.call('GET', '/api/pricing'));
  const { clientSecret } = z
    .object({ clientSecret: z.string() })
    .parse(await visitor.call('POST', '/api/create-subscription', { priceId: price?.id }));
  // The first subscription begins with a trial: the card is kept, nothing is paid.
  const intent = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  const confirmed = await fetch(`${composition.paymentsUrl}/v1/setup_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
  });
  expect(confirmed.status, await confirmed.text()).toBe(200);
  await expect.poll(tierOf(visitor), { timeout: 30_000, interval: 500 }).toBe('pro');
}, 90_000);

test('a role that is killed is started again, and answers', async () => {
  const before = await containerOf('surveys');
  await engine.docker([
    ...['run', '--rm', '--pid', 'host', '--user', '0', '--entrypoint', 'node', composition.tag],
    ...['-e', `process.kill(${before.State.Pid}, 'SIGKILL')`],
  ]);
  await expect
    .poll(async () => (await containerOf('surveys')).State.StartedAt, { timeout: 30_000, interval: 500 })
    .not.toBe(before.State.StartedAt);
  await untilAllAreWell();
}, 300_000);

test('what is stopped and started again has kept everything: accounts, cases, payments', async () => {
  await visitor.call('POST', '/api/saved-cases', { receiptNumber: RECEIPT, monitoringFrequency: 'daily' });
  await composition.compose(['stop']);
  const stopped = await composition.containers();
  expect(stopped.filter(({ State }) => State.Status !== 'exited').map(serviceOf)).toEqual([]);
  // Every container ended on SIGTERM: none had to be killed.
  const own = stopped.filter((container) => !OTHERS.includes(serviceOf(container)));
  expect(own.filter(({ State }) => State.ExitCode !== 0).map(serviceOf)).toEqual([]);

  await composition.compose(['start']);
  await untilAllAreWell();
  await visitor.signIn();
  expect(await visitor.call('GET', '/api/saved-cases')).toMatchObject([
    { receiptNumber: RECEIPT, monitoringFrequency: 'daily' },
  ]);
  expect(await tierOf(visitor)()).toBe('pro');
  const { url } = z.object({ url: z.string() }).parse(await visitor.call('POST', '/api/billing/portal'));
  expect(url).toContain(`${composition.paymentsUrl}/pages/portal/`);
}, 300_000);

test('every container of ours runs without root, without capabilities and on a read-only file system', () => {
  const own = containers.filter((container) => !OTHERS.includes(serviceOf(container)));
  expect(own.length).toBeGreaterThan(8);
  for (const { Config, HostConfig } of own) {
    expect(Config.User).toBe('1000:1000');
    expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false });
    expect(HostConfig.SecurityOpt?.join()).toContain('no-new-privileges');
  }
});

test('the image is at most 250 MB larger than its base', async () => {
  const sizeOf = async (image: string) =>
    Number(await engine.docker(['image', 'inspect', image, '--format', '{{.Size}}']));
  const over = (await sizeOf(composition.tag)) - (await sizeOf(BASE_IMAGE));
  console.log(`the image: ${(over / MB).toFixed(0)} MB over its base`);
  expect(over).toBeGreaterThan(MB);
  expect(over).toBeLessThan(LARGEST_OVER_BASE);
});

test('the image is labelled, has a health check, and lists what it is made of', async () => {
  const [image] = JSON.parse(await engine.docker(['image', 'inspect', composition.tag]));
  expect(image.Config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Casewatch',
    'org.opencontainers.image.version': readVersion(),
  });
  expect(image.Config.Healthcheck.Test.join(' ')).toContain('/livez');
  const print = `
    const { readFileSync, readdirSync } = require('node:fs');
    const bom = JSON.parse(readFileSync('/app/sbom.cdx.json', 'utf8'));
    const listed = new Set(bom.components.map(({ group, name }) => [group, name].filter(Boolean).join('/')));
    const bundled = readdirSync('/app/dist').filter((name) => name.endsWith('.map'))
      .flatMap((name) => JSON.parse(readFileSync('/app/dist/' + name, 'utf8')).sources)
      .flatMap((source) => source.split('node_modules/').at(-1).match(/^(?:@[^/]+[/])?[^/]+(?=[/])/) ?? [])
      .filter((name) => name !== '..');
    const there = [...new Set(bundled)];
    console.log(JSON.stringify({ there: there.length, missing: there.filter((name) => !listed.has(name)),
      listed: [...listed] }));`;
  const output = await engine.docker([
    'run',
    ...HARDENED,
    '--entrypoint',
    'node',
    composition.tag,
    '-e',
    print,
  ]);
  const { there, missing, listed } = JSON.parse(output);
  expect(there).toBeGreaterThan(50);
  expect(missing).toEqual([]);
  expect(listed).toContain('react');
  expect(listed).not.toContain('vitest');
  expect(listed).not.toContain('autocannon');
});

test('a program that there is not is refused with those that there are', async () => {
  const refused = engine.docker(['run', ...HARDENED, composition.tag, 'dance']);
  await expect(refused).rejects.toThrow('migrate');
});

async function untilAllAreWell(): Promise<void> {
  await expect
    .poll(async () => (await composition.containers()).filter((one) => !isWell(one)).map(serviceOf), {
      timeout: BACK_WITHIN_MS,
      interval: 1_000,
    })
    .toEqual([]);
}

async function containerOf(service: string): Promise<Container> {
  const found = (await composition.containers()).find((container) => serviceOf(container) === service);
  if (!found) throw new Error(`there is no container of ${service}`);
  return found;
}

function tierOf(visitor: Visitor): () => Promise<string> {
  return async () => z.object({ tier: z.string() }).parse(await visitor.call('GET', '/api/auth/me')).tier;
}

function isWell(container: Container): boolean {
  const { Status: status, ExitCode: code, Health: health } = container.State;
  if (serviceOf(container) === 'migrate') return status === 'exited' && code === 0;
  return status === 'running' && (!health || health.Status === 'healthy');
}

function readVersion(): string {
  const file = path.join(repository, 'package.json');
  expect(existsSync(file)).toBe(true);
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
