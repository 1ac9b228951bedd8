import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { databaseUrl } from '@casewatch/testing/test-cluster';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const LARGEST_BYTES = 250 * 1024 * 1024;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** Not below the repository: nothing of it can be found by accident. */
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-production-'));
const emptyDatabase = `production_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(root, 'scripts/production-files.mjs'), folder]);
  database = await createTestDatabase();
  await database.query(`CREATE DATABASE ${emptyDatabase}`);
});

afterAll(async () => {
  await database.query(`DROP DATABASE IF EXISTS ${emptyDatabase} WITH (FORCE)`);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('they stay below 250 MB', () => {
  const bytes = filesBelow(folder).reduce((sum, file) => sum + lstatSync(file).size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LARGEST_BYTES);
});

test('no package is among them that only development needs, and no code of ours but the bundle', () => {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  );
  const files = filesBelow(folder).map((file) => path.relative(folder, file));
  const packages = [...bundledPackages(), ...files.map(packageOf).filter((name) => name !== undefined)];
  expect(packages).toContain('node_modules/pino');
  expect(packages).toContain('node_modules/@node-rs/argon2');
  expect(packages.filter((name) => lock.packages[name]?.dev)).toEqual([]);
  expect(packages.filter((name) => !(name in lock.packages))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
});

test('the bill of materials names every package among them, and what the web app is bundled from', () => {
  const bill: { components: { group?: string; name: string; version: string }[] } = JSON.parse(
    readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8'),
  );
  const listed = new Set(
    bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
  );
  const here = [...bundledPackages()].map((name) => path.join(root, name));
  const packages = here.map((each): { name: string; version: string } =>
    JSON.parse(readFileSync(path.join(each, 'package.json'), 'utf8')),
  );
  expect(packages.length).toBeGreaterThan(50);
  expect(
    packages.map(({ name, version }) => `${name}@${version}`).filter((each) => !listed.has(each)),
  ).toEqual([]);
  expect([...listed].join(' ')).toContain('@node-rs/argon2@');
  expect([...listed].join(' ')).toMatch(/ react@\d/);
  expect([...listed].join(' ')).not.toMatch(/vitest|autocannon/);
});

test('a role reads the code of no other', () => {
  const ofServices = filesBelow(path.join(folder, 'dist'))
    .filter((file) => file.endsWith('.map'))
    .map((file) => new Set(sourcesOf(file).flatMap((source) => serviceOf(source) ?? [])));
  expect(ofServices.filter(({ size }) => size === 1).length).toBeGreaterThanOrEqual(7);
  expect(ofServices.filter(({ size }) => size > 1)).toEqual([]);
});

test('they migrate an empty database and run a role, with nothing but themselves', async () => {
  const ownerUrl = databaseUrl(database.ownerUrl, emptyDatabase);
  const migration = run(['migrate'], { DATABASE_URL: ownerUrl });
  expect(await migration.ended(), migration.output()).toBe(0);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const caseRole = new URL(databaseUrl(database.urlFor('cases'), emptyDatabase)).href;
  const role = run([], {
    SERVICES: 'cases',
    PORT: String(port),
    DATABASE_URL: caseRole,
    KAFKA_BROKERS: (await testKafkaBrokers()).join(),
    KAFKA_TOPIC_PREFIX: `${emptyDatabase}.`,
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    TOKEN_PUBLIC_KEY: publicKey(),
    AGENCY_BASE_URL: 'http://127.0.0.1:1',
    AGENCY_CLIENT_ID: 'a-client',
    AGENCY_CLIENT_SECRET: 'secret',
  });
  try {
    await untilReady(url, role);
    expect(await (await fetch(`${url}/livez`)).status).toBe(200);
  } finally {
    role.child.kill('SIGTERM');
  }
  expect(await role.ended(), role.output()).toBe(0);
}, 90_000);

test('the payments simulator runs from them, with the pages and the script that browsers load', async () => {
  const port = await freePort();
  const simulator = run(['payments-simulator'], {
    PAYMENTS_SIMULATOR_PORT: String(port),
    STRIPE_SECRET_KEY: 'sk_test_me',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_me',
    STRIPE_WEBHOOK_SECRET: 'whsec_me',
  });
  try {
    const script = await answerOf(`http://127.0.0.1:${port}/v3/`, simulator);
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(await script.text()).toContain('window.Stripe');
  } finally {
    simulator.child.kill('SIGTERM');
  }
  expect(await simulator.ended(), simulator.output()).toBe(0);
}, 60_000);

test('a missing program is distinguished from a crash', async () => {
  const nothing = run(['dance'], {});
  expect(await nothing.ended()).toBe(2);
  expect(nothing.output()).toContain('migrate');
});

interface Running {
  child: Child;
  output(): string;
  ended(): Promise<number | null>;
}

/** The image's entry, as the image starts it, on the pinned Node. */
function run(words: readonly string[], env: Record<string, string>): Running {
  const entry = path.join(folder, 'dist/container.js');
  const child = spawnChild(process.execPath, [entry, ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit');
  return { child, output: () => output, ended: async () => (await exited)[0] };
}

async function untilReady(url: string, role: Running): Promise<void> {
  const answer = await answerOf(`${url}/readyz`, role);
  await answer.body?.cancel();
}

/** The first answer that says ok. */
async function answerOf(address: string, program: Running): Promise<Response> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return answer;
    await answer?.body?.cancel();
    if (program.child.exitCode !== null || performance.now() > deadline) throw new Error(program.output());
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function publicKey(): string {
  const { publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** Regular files; the links of workspaces lead to files that are counted where they are. */
function filesBelow(start: string): string[] {
  return readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/@casewatch/'));
}

/** What the bundle is made of, by its source maps: paths from the root of the repository. */
function sourcesOf(map: string): string[] {
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'));
  return sources.map((source) => path.normalize(path.join('dist', source)));
}

function bundledPackages(): ReadonlySet<string> {
  const maps = filesBelow(path.join(folder, 'dist')).filter((file) => file.endsWith('.map'));
  return new Set(maps.flatMap(sourcesOf).flatMap((source) => packageOf(source) ?? []));
}

/** Of code that a service alone runs; its `migrations.ts` says only where they are. */
function serviceOf(source: string): string | undefined {
  return /^services\/([^/]+)\/src\/(?!migrations\.ts$)/.exec(source)?.[1];
}

/** `node_modules/a/node_modules/@b/c` of a file in it; undefined for files of our own. */
function packageOf(file: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
