import { BRIDGE, CGROUP, MACHINE_ADDRESS, POD_NETWORK } from './machine.ts';
import type { NodeCredentials } from './node-credentials.ts';

/** Configuration files of what runs on a node. `folder` holds everything of the node. */

export const CLUSTER_DNS = '10.96.0.10';
export const PAUSE_IMAGE = 'localhost/pause:1';

/**
 * Leaves alone the scores by which the kernel picks a process to kill: lowering one is refused inside many virtual
 * machines and containers.
 */
export const containerdConfig = (folder: string): string => `version = 3
root = "${folder}/containerd/root"
state = "${folder}/containerd/state"
oom_score = 0
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
[grpc]
  address = "${folder}/containerd.sock"
[ttrpc]
  address = "${folder}/containerd.sock.ttrpc"
[plugins.'io.containerd.cri.v1.images']
  snapshotter = "overlayfs"
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = "${PAUSE_IMAGE}"
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "${folder}/cni"
`;

/** Pods hang on one bridge; nothing of theirs leaves the machine, as no address is translated. */
export const networkConfig = (folder: string): string =>
  JSON.stringify({
    cniVersion: '1.0.0',
    name: 'casewatch',
    plugins: [
      {
        type: 'bridge',
        bridge: BRIDGE,
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          dataDir: `${folder}/addresses`,
          ranges: [
            [
              {
                subnet: POD_NETWORK,
                rangeStart: '10.88.0.10',
                rangeEnd: '10.88.0.250',
                gateway: MACHINE_ADDRESS,
              },
            ],
          ],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });

export const kubeletConfig = (
  folder: string,
  credentials: NodeCredentials,
  ports: { kubelet: number; health: number },
) =>
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: MACHINE_ADDRESS,
    port: ports.kubelet,
    healthzBindAddress: '127.0.0.1',
    healthzPort: ports.health,
    readOnlyPort: 0,
    tlsCertFile: credentials.file('kubelet.crt'),
    tlsPrivateKeyFile: credentials.file('kubelet.key'),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: credentials.file('ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: CGROUP,
    cgroupsPerQOS: true,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0,
    maxOpenFiles: 20_000,
    makeIPTablesUtilChains: false,
    clusterDNS: [CLUSTER_DNS],
    clusterDomain: 'cluster.local',
    resolvConf: `${folder}/resolv.conf`,
    podLogsDir: `${folder}/logs`,
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: {
      'memory.available': '0%',
      'nodefs.available': '0%',
      'nodefs.inodesFree': '0%',
      'imagefs.available': '0%',
    },
    nodeStatusUpdateFrequency: '5s',
    shutdownGracePeriod: '0s',
  });

export const proxyConfig = (
  node: string,
  kubeconfig: string,
  ports: { health: number; metrics: number },
): string =>
  JSON.stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    hostnameOverride: node,
    bindAddress: MACHINE_ADDRESS,
    clusterCIDR: POD_NETWORK,
    healthzBindAddress: `127.0.0.1:${ports.health}`,
    metricsBindAddress: `127.0.0.1:${ports.metrics}`,
    oomScoreAdj: 0,
    clientConnection: { kubeconfig },
    // Terminating pods still receive requests for a while, as on a large cluster.
    nftables: { minSyncPeriod: '2s' },
    // 0: leave the machine's limits as they are.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  });
