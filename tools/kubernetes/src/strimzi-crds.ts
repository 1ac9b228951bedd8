import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from '@casewatch/dev-stack/tools/make-once';

const run = promisify(execFile);
export const strimziRecipe = fileURLToPath(new URL('../strimzi/pom.xml', import.meta.url));
const GENERATOR = 'io.strimzi.crdgenerator.CrdGenerator';
const API = 'io.strimzi.api.kafka.model';
const KINDS = {
  kafkas: 'kafka.Kafka',
  kafkanodepools: 'nodepool.KafkaNodePool',
  kafkausers: 'user.KafkaUser',
};
const VERSION = ['--api-versions', 'v1', '--storage-version', 'v1'];

/**
 * Paths of Strimzi's CustomResourceDefinitions, made by Strimzi's own generator from Maven's jars (Java 17 or newer)
 * and kept in the user's cache folder. @throws what Maven or Java complain of
 */
export async function strimziCrds(): Promise<string[]> {
  const folder = cacheFolder();
  await makeOnce(folder, make);
  return Object.keys(KINDS).map((kind) => fileOf(folder, kind));
}

async function make(made: string): Promise<void> {
  const jars = path.join(made, 'jars');
  mkdirSync(jars, { recursive: true });
  const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${jars}`];
  await run('mvn', ['-q', '-B', '-f', strimziRecipe, ...copy]);
  const isGenerator = (name: string) => name.startsWith('crd-generator');
  const names = readdirSync(jars).sort((a, b) => Number(isGenerator(a)) - Number(isGenerator(b)));
  const classPath = names.map((name) => path.join(jars, name)).join(':');
  const wanted = Object.entries(KINDS).map(([kind, type]) => `${API}.${type}=${fileOf(made, kind)}`);
  const words = ['--target-kube', '1.30+', '--crd-api-version', 'v1', ...VERSION, ...wanted];
  await run('java', ['-cp', classPath, GENERATOR, ...words]);
  rmSync(jars, { recursive: true });
}

const fileOf = (folder: string, kind: string) => path.join(folder, `kafka.strimzi.io_${kind}.yaml`);

function cacheFolder(): string {
  const pinned = hash('sha256', readFileSync(strimziRecipe, 'utf8')).slice(0, 12);
  return path.join(testCacheFolder(), `strimzi-crds-${pinned}`);
}
