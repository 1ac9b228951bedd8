import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GoTool, goTool } from '../../src/go-tool.ts';
import { apiServerWords, createPrograms, etcdWords, freePorts } from '../../src/programs.ts';
import { dnsManifests } from './cluster-dns.ts';
import { BRIDGE, MACHINE_ADDRESS, prepareMachine, realNodeProblems, restoreMachine } from './machine.ts';
import { NODE_FOLDER, type NodeAccess, nodeAccess } from './node-access.ts';
import { containerdConfig, kubeletConfig, networkConfig, proxyConfig } from './node-config.ts';
import { makeNodeCredentials } from './node-credentials.ts';
import { nodeTool } from './node-tools.ts';
import { metricsServerWords, resourceMetricsManifests } from './resource-metrics.ts';

export interface RealNode extends NodeAccess {
  /** Removes everything that it has left on the machine. */
  stop(): Promise<void>;
}

const FOLDER = NODE_FOLDER;
const NODE = 'node-real';
const SERVICES = '10.96.0.0/16';
const READY_SECONDS = 120;

/**
 * Starts a real control plane with one real node on this machine: pods run in containers, Services route, names resolve.
 * `images` are archives as `docker save` writes them; `localhost/pause:1` and `localhost/coredns:1` must be among
 * them. @throws with what is missing on the machine, or the last words of what did not come up
 */
export async function startRealNode(images: readonly string[]): Promise<RealNode> {
  const problems = await realNodeProblems();
  if (problems.length > 0) throw new Error(`No real node can run here: ${problems.join('; ')}`);
  await restoreMachine(FOLDER);
  if (existsSync(`/sys/class/net/${BRIDGE}`)) throw new Error(`${BRIDGE} is there already`);
  for (const name of ['pki', 'cni', 'containerd', 'kubelet'])
    mkdirSync(path.join(FOLDER, name), { recursive: true });
  const shims = path.dirname(await nodeTool('containerd-shim-runc-v2'));
  const env = { ...process.env, PATH: `${shims}:${process.env.PATH}` };
  const programs = createPrograms(FOLDER, READY_SECONDS, { env, detached: true });
  const { until } = programs;
  const access = await nodeAccess();
  const { ctr, kubectl } = access;
  try {
    await prepareMachine(FOLDER);
    const [etcd = 0, peer = 0, api = 0, manager = 0, scheduler = 0, kubelet = 0, ...more] =
      await freePorts(10);
    const [kubeletHealth = 0, proxyHealth = 0, proxyMetrics = 0, metrics = 0] = more;
    const credentials = makeNodeCredentials(FOLDER, NODE, `https://${MACHINE_ADDRESS}:${api}`);
    const { file, kubeconfig } = credentials;

    const containerd = ['-c', written('containerd.toml', containerdConfig(FOLDER))];
    await programs.start('containerd', await nodeTool('containerd'), containerd);
    await until('containerd answers', async () => (await ctr(['version'])) !== '');
    for (const archive of images) await ctr(['images', 'import', '--local', archive]);

    const etcdUrl = `http://127.0.0.1:${etcd}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    await startKubernetes('etcd', etcdWords(`${FOLDER}/etcd`, etcdUrl, peerUrl));
    await startKubernetes('kube-apiserver', [
      ...apiServerWords({
        ...{ etcdUrl, address: MACHINE_ADDRESS, port: api, certificates: `${FOLDER}/pki` },
        ...{ file, frontClient: 'front-client', tokens: file('tokens.csv') },
      }),
      ...['--tls-cert-file', file('apiserver.crt'), '--tls-private-key-file', file('apiserver.key')],
      ...['--client-ca-file', file('ca.crt'), '--service-cluster-ip-range', SERVICES],
      ...['--enable-admission-plugins', 'NodeRestriction'],
      ...['--kubelet-client-certificate', file('apiserver-kubelet.crt')],
      ...['--kubelet-client-key', file('apiserver-kubelet.key')],
      ...['--kubelet-certificate-authority', file('ca.crt')],
      ...['--kubelet-preferred-address-types', 'InternalIP'],
    ]);
    await until('the API server is ready', async () => (await kubectl(['get', '--raw', '/readyz'])) === 'ok');
    const controller = [
      ...['--kubeconfig', kubeconfig.admin, '--leader-elect=false', '--bind-address', '127.0.0.1'],
      ...['--cert-dir', `${FOLDER}/pki`],
    ];
    await startKubernetes('kube-controller-manager', [
      ...[...controller, '--secure-port', String(manager)],
      ...['--service-account-private-key-file', file('sa.key'), '--root-ca-file', file('ca.crt')],
      '--use-service-account-credentials',
      // An autoscaler asks often, and takes a pod's first figures as they are.
      ...['--horizontal-pod-autoscaler-sync-period', '5s'],
      ...['--horizontal-pod-autoscaler-cpu-initialization-period', '1s'],
      ...['--horizontal-pod-autoscaler-initial-readiness-delay', '1s'],
    ]);
    await startKubernetes('kube-scheduler', [...controller, '--secure-port', String(scheduler)]);
    written('cni/10-bridge.conflist', networkConfig(FOLDER));
    written('resolv.conf', 'nameserver 127.0.0.1\n');
    await startKubernetes('kubelet', [
      '--config',
      written('kubelet.json', kubeletConfig(FOLDER, credentials, { kubelet, health: kubeletHealth })),
      ...['--kubeconfig', kubeconfig.kubelet, '--root-dir', `${FOLDER}/kubelet`],
      ...['--hostname-override', NODE, '--node-ip', MACHINE_ADDRESS],
      ...['--node-labels', 'topology.kubernetes.io/zone=zone-real'],
    ]);
    const proxy = proxyConfig(NODE, kubeconfig.proxy, { health: proxyHealth, metrics: proxyMetrics });
    await startKubernetes('kube-proxy', ['--config', written('proxy.json', proxy)]);
    await until('the node is ready', async () => {
      return (await kubectl(['wait', '--for=condition=Ready', `node/${NODE}`, '--timeout=2s'])) !== '';
    });
    await kubectl(['apply', '-f', '-'], dnsManifests());
    await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=90s']);
    await programs.start('metrics-server', await nodeTool('metrics-server'), [
      ...metricsServerWords(kubeconfig.admin, metrics, FOLDER),
    ]);
    await kubectl(['apply', '-f', '-'], resourceMetricsManifests(metrics));
    return { ...access, stop };
  } catch (error) {
    const words = programs.lastWords();
    await stop();
    throw new Error(`the node did not come up: ${error}\n${words}`);
  }

  async function startKubernetes(name: GoTool, words: readonly string[]): Promise<void> {
    await programs.start(name, await goTool(name), words);
  }

  function written(name: string, text: string): string {
    const file = path.join(FOLDER, name);
    writeFileSync(file, text);
    return file;
  }

  async function stop(): Promise<void> {
    await programs.stop();
    await restoreMachine(FOLDER);
  }
}
