import { fileURLToPath } from 'node:url';
import { type GoProgram, goProgram } from '@casewatch/dev-stack/tools/go-program';

const CONTAINERD = 'github.com/containerd/containerd/v2';
const containerd = {
  moduleFolder: fileURLToPath(new URL('../containerd/', import.meta.url)),
  tags: ['no_btrfs', 'no_devmapper', 'no_zfs', 'no_aufs'],
  stamps: (versionOf: (module: string) => string) => [
    `${CONTAINERD}/version.Version=${versionOf(CONTAINERD)}`,
  ],
};
const metricsServer = {
  moduleFolder: fileURLToPath(new URL('../metrics-server/', import.meta.url)),
  package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
};
const own = { moduleFolder: fileURLToPath(new URL('../node-programs/', import.meta.url)) };

const PROGRAMS = {
  containerd: { ...containerd, package: `${CONTAINERD}/cmd/containerd` },
  'containerd-shim-runc-v2': { ...containerd, package: `${CONTAINERD}/cmd/containerd-shim-runc-v2` },
  ctr: { ...containerd, package: `${CONTAINERD}/cmd/ctr` },
  'metrics-server': metricsServer,
  coredns: { ...own, package: './coredns' },
  pause: { ...own, package: './pause' },
} satisfies Record<string, Omit<GoProgram, 'name'>>;

export type NodeTool = keyof typeof PROGRAMS;

/** Returns the path of a program that a node needs besides Kubernetes' own, built from source the first time. */
export function nodeTool(name: NodeTool): Promise<string> {
  return goProgram({ name, ...PROGRAMS[name] });
}
