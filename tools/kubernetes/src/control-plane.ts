import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { certificate, makeCertificates } from './certificates.ts';
import { type GoTool, goTool } from './go-tool.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';
import { apiServerWords, createPrograms, etcdWords, freePorts } from './programs.ts';
import { simulatedNodes, simulationStages } from './simulated-nodes.ts';

export interface ControlPlane {
  readonly kubectl: Kubectl;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Seconds on an idle machine; minutes on one that builds something besides. */
const READY_SECONDS = 300;

/**
 * Starts a real etcd, API server, controller manager and scheduler on loopback, with nodes and pods that are simulated: a pod
 * is ready at once, unless it carries the label `simulation/never-ready`. What only a node does, such as enforcing a
 * NetworkPolicy or running a container, does not happen. None of it outlives this process.
 * @throws with the last words of what did not come up
 */
export async function startControlPlane(): Promise<ControlPlane> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-cluster-'));
  const pki = path.join(folder, 'pki');
  mkdirSync(pki);
  makeCertificates(pki);
  const token = randomBytes(16).toString('hex');
  const tokens = path.join(pki, 'tokens.csv');
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const [etcdPort, peerPort, apiPort, managerPort, schedulerPort, kwokPort] = await freePorts(6);
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(`https://127.0.0.1:${apiPort}`, pki, token), { mode: 0o600 });
  const programs = createPrograms(folder, READY_SECONDS);
  const { until } = programs;
  const kubectl = createKubectl(await goTool('kubectl'), kubeconfig);

  try {
    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    await start('etcd', etcdWords(path.join(folder, 'etcd'), etcdUrl, peerUrl));
    await start('kube-apiserver', [
      ...apiServerWords({
        ...{ etcdUrl, address: '127.0.0.1', port: apiPort ?? 0, certificates: pki, tokens },
        ...{ file: (name) => certificate(pki, name), frontClient: 'client' },
      }),
      ...['--endpoint-reconciler-type', 'none', '--service-cluster-ip-range', '10.96.0.0/16'],
    ]);
    await until('the API server is ready', async () => (await kubectl(['get', '--raw', '/readyz'])) === 'ok');
    const controller = [
      ...['--kubeconfig', kubeconfig, '--leader-elect=false', '--bind-address', '127.0.0.1'],
      // The defaults (20 and 50 requests a second) are for clusters of many nodes: a rollout waited for its turn.
      ...['--kube-api-qps', '500', '--kube-api-burst', '1000'],
    ];
    await start('kube-controller-manager', [
      ...controller,
      ...['--secure-port', String(managerPort), '--cert-dir', pki],
      ...['--service-account-private-key-file', certificate(pki, 'sa.key')],
      ...['--root-ca-file', certificate(pki, 'apiserver.crt')],
    ]);
    await start('kube-scheduler', [...controller, '--secure-port', String(schedulerPort), '--cert-dir', pki]);
    const stages = path.join(folder, 'stages.yaml');
    writeFileSync(stages, await simulationStages(folder));
    await start('kwok', [
      ...['--kubeconfig', kubeconfig, '--config', stages, '--manage-all-nodes', '--node-ip', '127.0.0.1'],
      ...['--node-lease-duration-seconds', '40', '--server-address', `127.0.0.1:${kwokPort}`],
      ...['--node-port', String(kwokPort), '--tls-cert-file', certificate(pki, 'apiserver.crt')],
      ...['--tls-private-key-file', certificate(pki, 'apiserver.key')],
    ]);
    await kubectl(['apply', '-f', '-'], simulatedNodes(3));
    await kubectl(['wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s']);
    await until('there is a default service account', async () => {
      return (await kubectl(['-n', 'default', 'get', 'serviceaccount', 'default', '-o', 'name'])) !== '';
    });
    return { kubectl, kubeconfig, stop };
  } catch (error) {
    const words = programs.lastWords();
    await stop();
    throw new Error(`the control plane did not come up: ${error}\n${words}`);
  }

  async function start(name: GoTool, words: readonly string[]): Promise<void> {
    await programs.start(name, await goTool(name), words);
  }

  async function stop(): Promise<void> {
    await programs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function kubeconfigText(server: string, pki: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'c', cluster: { server, 'certificate-authority': certificate(pki, 'apiserver.crt') } },
    ],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  });
}
