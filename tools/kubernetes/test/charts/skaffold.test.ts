import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { helm } from '../../src/helm.ts';
import { named } from '../../src/manifest.ts';
import { parseManifests } from '../../src/parse-manifests.ts';

/**
 * Skaffold itself is not run: its file is held against the fields of the schema v4beta13 that it uses (Skaffold's
 * reference, "skaffold.yaml"), and what it would have Helm do is done.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const text = readFileSync(path.join(root, 'skaffold.yaml'), 'utf8');
const config = parse(text);
const [release] = config.deploy.helm.releases;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['apiVersion', 'kind', 'metadata', 'build', 'deploy', 'portForward'],
  metadata: ['name', 'labels', 'annotations'],
  build: ['artifacts', 'local', 'tagPolicy', 'insecureRegistries', 'platforms'],
  'build.artifacts.0': [
    'image',
    'context',
    'docker',
    'hooks',
    'platforms',
    'requires',
    'runtimeType',
    'sync',
  ],
  'build.artifacts.0.docker': ['dockerfile', 'target', 'buildArgs', 'cacheFrom', 'network', 'secrets', 'ssh'],
  'build.local': ['push', 'tryImportMissing', 'useDockerCLI', 'useBuildkit', 'concurrency'],
  'build.tagPolicy': ['inputDigest', 'gitCommit', 'sha256', 'dateTime', 'envTemplate', 'customTemplate'],
  'deploy.helm': ['releases', 'flags', 'hooks'],
  'deploy.helm.releases.0': [
    ...['name', 'chartPath', 'remoteChart', 'namespace', 'createNamespace', 'version', 'repo', 'wait'],
    ...['valuesFiles', 'setValues', 'setValueTemplates', 'setFiles', 'overrides', 'upgradeOnChange'],
  ],
  'portForward.0': ['resourceType', 'resourceName', 'namespace', 'port', 'localPort', 'address'],
};

test.each(Object.entries(FIELDS))('skaffold.yaml has only known fields at "%s"', (place, known) => {
  const part = place === '' ? config : place.split('.').reduce((value, key) => value[key], config);
  expect(known).toEqual(expect.arrayContaining(Object.keys(part)));
  expect(config.apiVersion).toBe('skaffold/v4beta13');
});

test('what it names exists, and the chart renders as it would have it: with the image that was built', async () => {
  const [artifact] = config.build.artifacts;
  for (const file of [artifact.docker.dockerfile, release.chartPath, ...release.valuesFiles]) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
  }
  const built = {
    [`IMAGE_REPO_${artifact.image}`]: 'registry.test/casewatch',
    [`IMAGE_TAG_${artifact.image}`]: 'abc',
  };
  const set = Object.entries(release.setValueTemplates as Record<string, string>).flatMap(
    ([name, template]) => [
      '--set',
      `${name}=${template.replace(/\{\{\.(\w+)\}\}/g, (_, variable: string) => built[variable] ?? `no ${variable}`)}`,
    ],
  );
  const files = release.valuesFiles.flatMap((file: string) => ['-f', path.join(root, file)]);
  const chart = path.join(root, release.chartPath);
  const rendered = await helm(['template', release.name, chart, '-n', release.namespace, ...files, ...set]);
  const manifests = parseManifests(rendered);
  const gateway = named(manifests, 'Deployment', `${release.name}-all`);
  expect(JSON.stringify(gateway)).toContain('"image":"registry.test/casewatch:abc"');
  for (const { resourceName } of config.portForward) named(manifests, 'Service', resourceName);
}, 1_800_000);
