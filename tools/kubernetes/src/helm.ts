import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { goProgram } from '@casewatch/dev-stack/tools/go-program';
import { parse } from 'yaml';
import { goTool } from './go-tool.ts';
import { type Manifest, parseManifests } from './parse-manifests.ts';

const run = promisify(execFile);
/** Lists for `helm template` what a cluster serves besides Kubernetes itself once the operators of charts/casewatch/ci/evaluation.yaml run in it. */
export const OPERATOR_WORDS = [
  'postgresql.cnpg.io/v1',
  'kafka.strimzi.io/v1',
  'redis.redis.opstreelabs.in/v1beta2',
].flatMap((served) => ['--api-versions', served]);
/** The installs of `charts/casewatch/ci`. */
export const INSTALLS = ['small', 'large', 'locked-down', 'evaluation', 'single'];

export const chartFolder = fileURLToPath(new URL('../../../charts/casewatch/', import.meta.url));

const valuesFile = (name: string) => path.join(chartFolder, `${name}.yaml`);

/** The values of each example: the installs of `ci`, the sizes (before the values of an install), and those of `examples`. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(INSTALLS.map((install) => [install, [valuesFile(`ci/${install}`)]])),
  ...Object.fromEntries(
    ['10k', '100k', '1m'].map((size) => [size, [valuesFile(`sizes/${size}`), valuesFile('ci/locked-down')]]),
  ),
  ...Object.fromEntries(
    ['eks', 'gke', 'aks', 'kind', 'openshift'].map((name) => [name, [valuesFile(`examples/${name}`)]]),
  ),
};

/** The values of the Argo CD example's Application, as JSON text. */
export function argoValues(): string {
  const application = parse(readFileSync(path.join(chartFolder, 'examples/argo-cd.yaml'), 'utf8'));
  return JSON.stringify(application.spec.source.helm.valuesObject);
}

/** Helm waits by asking, five times a second by default: a rollout of three seconds took it twenty to see. */
export const HELM_REQUESTS = { HELM_QPS: '500', HELM_BURST_LIMIT: '1000' };

/** Returns the path of Helm 3, of the version that `helm3/go.mod` pins; built from source the first time. */
export function helm3Program(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../helm3/', import.meta.url)),
    name: 'helm3',
    package: 'helm.sh/helm/v3/cmd/helm',
    // As its Makefile does: without them it renders for Kubernetes 1.20.
    stamps: (versionOf) => {
      const minor = versionOf('k8s.io/client-go').split('.')[1];
      return ['lint/rules', 'chartutil'].flatMap((name) => [
        `helm.sh/helm/v3/pkg/${name}.k8sVersionMajor=1`,
        `helm.sh/helm/v3/pkg/${name}.k8sVersionMinor=${minor}`,
      ]);
    },
  });
}

/** Returns what helm writes; rejects with its error text. The newest Helm, unless `program` is another. */
export async function helm(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  program = goTool('helm'),
): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'casewatch-helm-'));
  const own = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  try {
    const { stdout } = await run(await program, words, {
      env: { ...process.env, ...HELM_REQUESTS, ...own, ...env },
    });
    return stdout;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export async function renderChart(
  valueFiles: readonly string[],
  set: Readonly<Record<string, string>> = {},
  release = 'r',
): Promise<Manifest[]> {
  const values = valueWords(valueFiles, set);
  return parseManifests(
    await helm(['template', release, chartFolder, '--namespace', 'shop', ...OPERATOR_WORDS, ...values]),
  );
}

export function valueWords(files: readonly string[], set: Readonly<Record<string, string>> = {}): string[] {
  return [
    ...files.flatMap((file) => ['-f', path.join(chartFolder, 'ci', `${file}.yaml`)]),
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ];
}
