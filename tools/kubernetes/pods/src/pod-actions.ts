import { PRODUCT_REPOSITORY, VERSIONS } from './pod-images.ts';
import type { Release } from './release.ts';

const IMAGE = `${PRODUCT_REPOSITORY}:${VERSIONS[0]}`;
const REACH_MS = 4_000;

export interface OwnPod {
  /** What Node is started with. */
  words: readonly string[];
  env?: Record<string, string>;
  labels?: Record<string, string>;
  namespace?: string;
}

/** Runs Node of the product's image as a restricted pod of ours; resolves when it is ready. One of that name is replaced. */
export async function runPod(release: Release, name: string, own: OwnPod): Promise<void> {
  const { words, env = {}, labels = {}, namespace = release.namespace } = own;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name,
          image: IMAGE,
          imagePullPolicy: 'Never',
          command: ['node', ...words],
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
  const { kubectl } = release.node;
  await kubectl(['-n', namespace, 'delete', 'pod', name, '--ignore-not-found', '--wait']);
  await kubectl(['apply', '-f', '-'], JSON.stringify(pod));
  await kubectl(['-n', namespace, 'wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s']);
}

/** Deletes a pod at once. */
export async function removePod(
  release: Release,
  name: string,
  namespace = release.namespace,
): Promise<void> {
  const words = ['delete', 'pod', name, '--ignore-not-found', '--grace-period=0', '--force'];
  await release.node.kubectl(['-n', namespace, ...words]);
}

/**
 * Returns which of these a pod can connect to by TCP: `open`, or `shut` when nothing answers within a while. `from` is a pod
 * or `deploy/name`; `to` are `host:port`.
 */
export async function reaches(
  release: Release,
  from: string,
  to: readonly string[],
  namespace = release.namespace,
): Promise<Record<string, string>> {
  const program = `
    const { connect } = require('node:net');
    const ask = (to) => new Promise((resolve) => {
      const [host, port] = to.split(':');
      const socket = connect({ host, port });
      const answer = (word) => { socket.destroy(); resolve([to, word]); };
      socket.once('connect', () => answer('open'));
      socket.once('error', (error) => answer('shut ' + error.code));
      setTimeout(() => answer('shut'), ${REACH_MS}).unref();
    });
    Promise.all(${JSON.stringify(to)}.map(ask)).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));`;
  const output = await release.node.kubectl(['-n', namespace, 'exec', from, '--', 'node', '-e', program]);
  return JSON.parse(output);
}
