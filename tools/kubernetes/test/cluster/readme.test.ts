import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { crdFiles } from '../../src/crd-files.ts';
import { goTool } from '../../src/go-tool.ts';
import { chartFolder } from '../../src/helm.ts';

/** The chart's README as an outsider would follow it, on a real API server that knows the operators' kinds; pods are simulated. */

const page = readFileSync(path.join(chartFolder, 'README.md'), 'utf8');
const [commands = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text);
const run = promisify(execFile);
const NAMESPACE = 'casewatch';

let cluster: ControlPlane;
let folder: string;
beforeAll(async () => {
  cluster = await startControlPlane();
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-readme-'));
  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(path.join(folder, 'charts'));
  for (const tool of ['helm', 'kubectl'] as const)
    symlinkSync(await goTool(tool), path.join(folder, 'bin', tool));
  symlinkSync(chartFolder, path.join(folder, 'charts', 'casewatch'));
}, 1_800_000);
afterAll(async () => {
  await cluster?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}, 60_000);

const bash = (text: string) =>
  run('bash', ['-c', `set -euo pipefail\n${text}`], {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, KUBECONFIG: cluster.kubeconfig },
  });
const json = async (...words: string[]) =>
  JSON.parse(await cluster.kubectl(['-n', NAMESPACE, 'get', ...words, '-o', 'json']));

it('without the operators it says which ones are missing', async () => {
  const output = await bash(commands).catch((error) => String(error.stderr));
  expect(output).toMatch(/CloudNativePG[\s\S]*Strimzi[\s\S]*OT-CONTAINER-KIT/);
  await cluster.kubectl(['delete', 'namespace', NAMESPACE, '--wait']);
});

it('with them the API server takes every resource, and the commands of the page run to their end', async () => {
  for (const file of await crdFiles()) await cluster.kubectl(['apply', '--server-side', '-f', file]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await bash(commands);
  for (const kind of ['clusters.postgresql.cnpg.io', 'kafkas', 'kafkanodepools', 'kafkausers', 'redis']) {
    expect((await json(kind)).items, kind).toHaveLength(1);
  }
});

it('the secrets that the page makes are those that the pods and the operators ask for', async () => {
  const made = new Map<string, string[]>();
  for (const { metadata, data } of (await json('secrets')).items) made.set(metadata.name, Object.keys(data));
  const asked = JSON.stringify([
    await json('deployments'),
    await json('jobs'),
    await json('clusters.postgresql.cnpg.io'),
  ]);
  const keys = [...asked.matchAll(/"secretKeyRef":\{"key":"([^"]+)","name":"([^"]+)"\}/g)];
  const byOperators = /^casewatch-(postgresql-app|kafka(-cluster-ca-cert)?)$/;
  const missing = keys.filter(
    ([, key = '', name = '']) => !byOperators.test(name) && !made.get(name)?.includes(key),
  );
  expect(keys.length).toBeGreaterThan(20);
  expect(missing.map(([, key, name]) => `${name}/${key}`)).toEqual([]);
  const roles = [...asked.matchAll(/"passwordSecret":\{"name":"([^"]+)"\}/g)].map(([, name = '']) => name);
  expect(roles).toHaveLength(7);
  for (const name of roles) expect(made.get(name), name).toEqual(['password', 'username']);
});

it('an upgrade migrates anew, by another Job', async () => {
  const before = (await json('jobs')).items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
  await bash(
    `helm upgrade casewatch charts/casewatch -n ${NAMESPACE} -f charts/casewatch/ci/evaluation.yaml --wait --timeout 2m`,
  );
  const after = (await json('jobs')).items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
  expect(before).toHaveLength(1);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
});

it('uninstalling takes the data stores with it, and leaves what was brought', async () => {
  await bash(`helm uninstall casewatch -n ${NAMESPACE} --cascade foreground --wait --timeout 2m`);
  const kinds =
    'deployments,pods,jobs,services,configmaps,networkpolicies,clusters.postgresql.cnpg.io,kafkas,kafkausers,redis';
  const left = ['get', kinds, '-l', 'app.kubernetes.io/instance=casewatch', '-o', 'name'];
  // Helm waits until what it has looked at is deleted, which is not yet all where its watches begin one after the other.
  await expect.poll(() => cluster.kubectl(['-n', NAMESPACE, ...left])).toBe('');
  expect((await json('secrets')).items).toHaveLength(9);
});

it('links to pages that exist', () => {
  for (const [, target = ''] of page.matchAll(/\]\((?!https:)([^)#]+)\)/g)) {
    expect(existsSync(path.join(chartFolder, target)), target).toBe(true);
  }
});
