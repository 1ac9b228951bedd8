import { fileURLToPath } from 'node:url';
import {
  go,
  goCacheFolder,
  goModuleVersion,
  goProgram,
  goPrograms,
} from '@casewatch/dev-stack/tools/go-program';

const moduleFolder = fileURLToPath(new URL('..', import.meta.url));

/** The programs that `go.mod` pins, by name. */
const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
  kwok: 'sigs.k8s.io/kwok/cmd/kwok',
  helm: 'helm.sh/helm/v4/cmd/helm',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
} as const;

export type GoTool = keyof typeof PACKAGES;

/** Returns the path of a tool, built from source the first time. */
export function goTool(name: GoTool): Promise<string> {
  return goProgram({ moduleFolder, name, package: PACKAGES[name], stamps });
}

/** Builds those of the tools that are not there yet, all in one run of Go. */
export function goTools(names: readonly GoTool[]): Promise<void> {
  return goPrograms(
    { moduleFolder, stamps },
    Object.fromEntries(names.map((name) => [name, PACKAGES[name]])),
  );
}

/** Returns the folder of a Go module's source, of the version that `go.mod` pins. */
export async function goModuleFolder(module: string): Promise<string> {
  const pinned = `${module}@${goModuleVersion(moduleFolder, module)}`;
  const { Dir: folder } = JSON.parse(await go(moduleFolder, ['mod', 'download', '-json', pinned]));
  if (typeof folder !== 'string') throw new Error(`go did not say where ${module} is`);
  return folder;
}

/** Returns where tools, and what is made from their sources, are kept. */
export const toolCacheFolder = (): string => goCacheFolder(moduleFolder);

function stamps(versionOf: (module: string) => string): string[] {
  const version = versionOf('k8s.io/kubernetes');
  const [major, minor] = version.slice(1).split('.');
  const kubernetes = 'k8s.io/component-base/version';
  return [
    `${kubernetes}.gitVersion=${version}`,
    `${kubernetes}.gitMajor=${major}`,
    `${kubernetes}.gitMinor=${minor}`,
    `${kubernetes}.gitTreeState=clean`,
    `helm.sh/helm/v4/internal/version.version=${versionOf('helm.sh/helm/v4')}`,
    `sigs.k8s.io/kwok/pkg/consts.Version=${versionOf('sigs.k8s.io/kwok')}`,
  ];
}
