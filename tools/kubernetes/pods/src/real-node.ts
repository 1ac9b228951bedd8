import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { type GoTool, goTool } from '../../src/go-tool.ts';
import { dnsManifests } from './cluster-dns.ts';
import { BRIDGE, MACHINE_ADDRESS, prepareMachine, realNodeFaults, restoreMachine } from './machine.ts';
import { NODE_FOLDER, type NodeAccess, nodeAccess } from './node-access.ts';
import { containerdConfig, kubeletConfig, networkConfig, proxyConfig } from './node-config.ts';
import { makeNodeCredentials } from './node-credentials.ts';
import { type NodeTool, nodeTool } from './node-tools.ts';
import { metricsServerWords, resourceMetricsManifests } from './resource-metrics.ts';

export interface RealNode extends NodeAccess {
  /** Removes everything that it has left on the machine. */
  stop(): Promise<void>;
}

const FOLDER = NODE_FOLDER;
const NODE = 'node-real';
const SERVICES = '10.96.0.0/16';
const READY_SECONDS = 120;
const POLL_MS = 150;
const LAST_WORDS_LENGTH = 3_000;

/**
 * A real control plane with one real node on this machine: pods run in containers, Services route, names resolve.
 * `images` are archives as `docker save` writes them; `localhost/pause:1` and `localhost/coredns:1` must be among
 * them. @throws with what is missing on the machine, or the last words of what did not come up
 */
export async function startRealNode(images: readonly string[]): Promise<RealNode> {
  const faults = await realNodeFaults();
  if (faults.length > 0) throw new Error(`No real node can run here: ${faults.join('; ')}`);
  await restoreMachine(FOLDER);
  if (existsSync(`/sys/class/net/${BRIDGE}`)) throw new Error(`${BRIDGE} is there already`);
  for (const name of ['pki', 'cni', 'containerd', 'kubelet'])
    mkdirSync(path.join(FOLDER, name), { recursive: true });
  const children: { name: string; child: Child; said: () => string }[] = [];
  const shims = path.dirname(await nodeTool('containerd-shim-runc-v2'));
  const access = await nodeAccess();
  const { ctr, kubectl } = access;
  try {
    await prepareMachine(FOLDER);
    const [etcd = 0, peer = 0, api = 0, manager = 0, scheduler = 0, kubelet = 0, ...more] =
      await freePorts(10);
    const [kubeletHealth = 0, proxyHealth = 0, proxyMetrics = 0, metrics = 0] = more;
    const credentials = makeNodeCredentials(FOLDER, NODE, `https://${MACHINE_ADDRESS}:${api}`);
    const { file, kubeconfig } = credentials;

    await start('containerd', await nodeTool('containerd'), [
      '-c',
      written('containerd.toml', containerdConfig(FOLDER)),
    ]);
    await until('containerd answers', async () => (await ctr(['version'])) !== '');
    for (const archive of images) await ctr(['images', 'import', '--local', archive]);

    const etcdUrl = `http://127.0.0.1:${etcd}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    await start('etcd', await goTool('etcd'), [
      ...['--data-dir', `${FOLDER}/etcd`, '--unsafe-no-fsync', '--initial-cluster', `default=${peerUrl}`],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ]);
    await startKubernetes('kube-apiserver', [
      ...[
        '--etcd-servers',
        etcdUrl,
        '--bind-address',
        MACHINE_ADDRESS,
        '--advertise-address',
        MACHINE_ADDRESS,
      ],
      ...['--secure-port', String(api), '--tls-cert-file', file('apiserver.crt')],
      ...['--tls-private-key-file', file('apiserver.key'), '--token-auth-file', file('tokens.csv')],
      ...['--client-ca-file', file('ca.crt'), '--authorization-mode', 'Node,RBAC', '--allow-privileged'],
      ...['--enable-admission-plugins', 'NodeRestriction', '--service-cluster-ip-range', SERVICES],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', file('sa.pub'), '--service-account-signing-key-file', file('sa.key')],
      ...['--kubelet-client-certificate', file('apiserver-kubelet.crt')],
      ...['--kubelet-client-key', file('apiserver-kubelet.key')],
      ...['--kubelet-certificate-authority', file('ca.crt')],
      ...['--kubelet-preferred-address-types', 'InternalIP', '--cert-dir', `${FOLDER}/pki`],
      ...['--requestheader-client-ca-file', file('front.crt')],
      ...['--requestheader-allowed-names', 'front-proxy-client'],
      ...['--requestheader-username-headers', 'X-Remote-User'],
      ...['--requestheader-group-headers', 'X-Remote-Group'],
      ...['--requestheader-extra-headers-prefix', 'X-Remote-Extra-'],
      ...['--proxy-client-cert-file', file('front-client.crt')],
      ...['--proxy-client-key-file', file('front-client.key')],
    ]);
    await until('the API server is ready', async () => (await kubectl(['get', '--raw', '/readyz'])) === 'ok');
    const controller = [
      '--kubeconfig',
      kubeconfig.admin,
      '--leader-elect=false',
      '--bind-address',
      '127.0.0.1',
    ];
    await startKubernetes('kube-controller-manager', [
      ...[...controller, '--secure-port', String(manager), '--cert-dir', `${FOLDER}/pki`],
      ...['--service-account-private-key-file', file('sa.key'), '--root-ca-file', file('ca.crt')],
      '--use-service-account-credentials',
      // An autoscaler asks often, and takes a pod's first figures as they are.
      ...['--horizontal-pod-autoscaler-sync-period', '5s'],
      ...['--horizontal-pod-autoscaler-cpu-initialization-period', '1s'],
      ...['--horizontal-pod-autoscaler-initial-readiness-delay', '1s'],
    ]);
    await startKubernetes('kube-scheduler', [
      ...[...controller, '--secure-port', String(scheduler), '--cert-dir', `${FOLDER}/pki`],
    ]);
    written('cni/10-bridge.conflist', networkConfig(FOLDER));
    written('resolv.conf', 'nameserver 127.0.0.1\n');
    await startKubernetes('kubelet', [
      '--config',
      written('kubelet.json', kubeletConfig(FOLDER, credentials, { kubelet, health: kubeletHealth })),
      ...['--kubeconfig', kubeconfig.kubelet, '--root-dir', `${FOLDER}/kubelet`],
      ...['--hostname-override', NODE, '--node-ip', MACHINE_ADDRESS],
      ...['--node-labels', 'topology.kubernetes.io/zone=zone-real'],
    ]);
    await startKubernetes('kube-proxy', [
      '--config',
      written(
        'proxy.json',
        proxyConfig(NODE, kubeconfig.proxy, { health: proxyHealth, metrics: proxyMetrics }),
      ),
    ]);
    await until('the node is ready', async () => {
      return (await kubectl(['wait', '--for=condition=Ready', `node/${NODE}`, '--timeout=2s'])) !== '';
    });
    await kubectl(['apply', '-f', '-'], dnsManifests());
    await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=90s']);
    await start('metrics-server', await nodeTool('metrics-server'), [
      ...metricsServerWords(kubeconfig.admin, metrics, FOLDER),
    ]);
    await kubectl(['apply', '-f', '-'], resourceMetricsManifests(metrics));
    return { ...access, stop };
  } catch (error) {
    const words = children.map(({ name, said }) => `== ${name}\n${said().slice(-LAST_WORDS_LENGTH)}`);
    await stop();
    throw new Error(`the node did not come up: ${error}\n${words.join('\n')}`);
  }

  async function startKubernetes(name: GoTool, words: readonly string[]): Promise<void> {
    await start(name, await goTool(name), words);
  }

  async function start(name: GoTool | NodeTool, binary: string, words: readonly string[]): Promise<void> {
    const env = { ...process.env, PATH: `${shims}:${process.env.PATH}` };
    const child = spawnChild(binary, words, { cwd: FOLDER, env, detached: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-LAST_WORDS_LENGTH);
      });
    }
    children.push({ name, child, said: () => said });
  }

  function written(name: string, text: string): string {
    const file = path.join(FOLDER, name);
    writeFileSync(file, text);
    return file;
  }

  async function until(what: string, check: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + READY_SECONDS * 1_000;
    for (;;) {
      const fault = await check().then(
        (done) => (done ? undefined : 'not yet'),
        (error: unknown) => String(error),
      );
      if (fault === undefined) return;
      const ended = children.find(({ child }) => child.exitCode !== null);
      if (ended) throw new Error(`${ended.name} ended`);
      if (performance.now() > deadline) throw new Error(`not within ${READY_SECONDS} s: ${what} (${fault})`);
      await pause(POLL_MS);
    }
  }

  async function stop(): Promise<void> {
    for (const { child } of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(impatient);
    }
    await restoreMachine(FOLDER);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
