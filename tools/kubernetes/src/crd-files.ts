import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { strimziCrds, strimziRecipe } from './strimzi-crds.ts';

const run = promisify(execFile);

/** Kinds that the chart can make and Kubernetes itself does not know, from the Go modules that define them. */
const SOURCES = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.6.1',
    files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    files: ['servicemonitors', 'prometheusrules'].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  },
  {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    files: ['scaledobjects', 'triggerauthentications'].map((kind) => `config/crd/bases/keda.sh_${kind}.yaml`),
  },
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg@v1.30.0',
    files: ['config/crd/bases/postgresql.cnpg.io_clusters.yaml'],
  },
];
/** Says in its first lines what it is worth. */
const REDIS = fileURLToPath(new URL('../redis-operator/redis.yaml', import.meta.url));

/** Changes with what `crdFiles` would give: what is made from them is kept under it. */
export function crdFingerprint(): string {
  const pinned = [
    JSON.stringify(SOURCES),
    ...[strimziRecipe, REDIS].map((file) => readFileSync(file, 'utf8')),
  ];
  return hash('sha256', pinned.join()).slice(0, 12);
}

/** Paths of the CustomResourceDefinitions' files, downloaded once by Go, or made once by Strimzi's generator. */
export async function crdFiles(): Promise<string[]> {
  const folders = await Promise.all(
    SOURCES.map(async ({ module, files }) => {
      // Outside our own module: nothing of ours is built from these.
      const { stdout } = await run('go', ['mod', 'download', '-json', module], {
        cwd: '/',
        env: { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
      });
      const { Dir: folder } = JSON.parse(stdout);
      return files.map((file) => path.join(folder, file));
    }),
  );
  return [...folders.flat(), ...(await strimziCrds()), REDIS];
}
