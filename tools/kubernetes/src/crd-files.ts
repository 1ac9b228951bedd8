import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

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
];

/** Paths of the CustomResourceDefinitions' files, downloaded once by Go. */
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
  return folders.flat();
}
