import path from 'node:path';
import { chartFolder, helm, valueWords } from '../../src/helm.ts';
import type { NodeAccess } from './node-access.ts';
import { PRODUCT_REPOSITORY } from './pod-images.ts';
import { chartValues, NAMESPACE, ORIGIN, type OutsideAddresses, RELEASE, roles } from './release-values.ts';

/** The chart, installed on the node. Words are those of kubectl and helm, which run in its namespace. */
export interface Release {
  readonly node: NodeAccess;
  readonly outside: OutsideAddresses;
  readonly namespace: string;
  /** Of its web pages. */
  readonly origin: string;
  /** The gateway and each service. */
  readonly roles: readonly string[];
  kubectl(...words: string[]): Promise<string>;
  helm(...words: string[]): Promise<string>;
  /** Brings it to the values that the tests begin with, installed or not; `set` are further ones, as `--set` takes them. */
  bring(...set: string[]): Promise<void>;
  /** The same, as words for `helm install` and `helm upgrade`. */
  words(...set: string[]): string[];
  /** Resolves when a Deployment has as many ready pods, and no others. */
  isScaled(role: string, replicas: number): Promise<boolean>;
  /** Names and versions of its pods, but for those that are on their way out or have run to their end. */
  running(): Promise<{ names: string[]; tags: Set<string> }>;
  addressOf(role: string): Promise<string>;
  podOf(role: string): Promise<PodFacts>;
  /** Rejects with `error` and the state of pods, events and logs: helm's own message does not say why it failed. */
  withDiagnostics(error: unknown): Promise<never>;
}

export interface PodFacts {
  readonly name: string;
  readonly container: string;
  readonly restarts: number;
  readonly ready: boolean;
  /** Why the container before this one ended. */
  readonly lastReason: string | undefined;
}

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { containers: { image: string }[] };
  status: {
    containerStatuses?: {
      containerID?: string;
      restartCount: number;
      ready: boolean;
      lastState: { terminated?: { reason: string } };
    }[];
  };
}

/** Longer than a roll of every role takes on a machine that does much else. */
export const HELM_PATIENCE = ['--wait', '--timeout', '600s'];
const OF_RELEASE = `app.kubernetes.io/instance=${RELEASE}`;

export function createRelease(
  node: NodeAccess,
  outside: OutsideAddresses,
  { namespace = NAMESPACE, origin = ORIGIN } = {},
): Release {
  const kubectl = (...words: string[]) => node.kubectl(['-n', namespace, ...words]);
  const inNamespace = (...words: string[]) =>
    helm([...words, '-n', namespace], { KUBECONFIG: node.kubeconfig });
  const words = (...set: string[]) => [
    RELEASE,
    path.resolve(chartFolder),
    ...valueWords(['small'], chartValues(outside)),
    ...set.flatMap((one) => ['--set', one]),
  ];
  const withDiagnostics = async (error: unknown): Promise<never> => {
    const pods = await kubectl('get', 'pods', '-o', 'wide');
    const events = (await kubectl('get', 'events', '--sort-by=.lastTimestamp')).split('\n').slice(-25);
    const logs = await kubectl(
      ...['logs', '-l', OF_RELEASE],
      ...['--tail=5', '--prefix', '--max-log-requests=30'],
    ).catch(String);
    throw new Error(`${error}\n${pods}\n${events.join('\n')}\n${logs}`);
  };
  const pods = async (selector: string): Promise<Pod[]> => {
    const { items }: { items: Pod[] } = JSON.parse(
      await kubectl('get', 'pods', '-l', selector, '-o', 'json'),
    );
    return items.filter(({ metadata }) => !metadata.deletionTimestamp);
  };
  return {
    node,
    outside,
    namespace,
    origin,
    roles,
    kubectl,
    helm: inNamespace,
    words,
    withDiagnostics,
    bring: async (...set) => {
      await inNamespace('upgrade', '--install', ...words(...set), ...HELM_PATIENCE).catch(withDiagnostics);
    },
    isScaled: async (role, replicas) => {
      const { status } = JSON.parse(await kubectl('get', `deployment/${RELEASE}-${role}`, '-o', 'json'));
      return status.replicas === replicas && status.readyReplicas === replicas;
    },
    running: async () => {
      const found = await pods(`${OF_RELEASE},app.kubernetes.io/component notin (test,migrate)`);
      const images = found.map(({ spec }) => spec.containers[0]?.image ?? '');
      return {
        names: found.map(({ metadata }) => metadata.name).toSorted(),
        tags: new Set(images.map((image) => image.replace(`${PRODUCT_REPOSITORY}:`, ''))),
      };
    },
    addressOf: async (role) => {
      const address = await kubectl(
        ...['get', 'service', `${RELEASE}-${role}`, '-o', 'jsonpath={.spec.clusterIP}'],
      );
      return `http://${address}:8080`;
    },
    podOf: async (role) => {
      const [pod] = await pods(`${OF_RELEASE},app.kubernetes.io/component=${role}`);
      const status = pod?.status.containerStatuses?.[0];
      if (!pod || !status) throw new Error(`${role} has no pod with a container`);
      return {
        name: pod.metadata.name,
        container: String(status.containerID).replace('containerd://', ''),
        restarts: status.restartCount,
        ready: status.ready,
        lastReason: status.lastState.terminated?.reason,
      };
    },
  };
}

/** Names of everything of the release, `kind/name`, but what `helm test` leaves for its reader. */
export async function leftOf(release: Release): Promise<string[]> {
  const kinds =
    'deployments,services,configmaps,pods,jobs,networkpolicies,serviceaccounts,poddisruptionbudgets,horizontalpodautoscalers';
  const output = await release.kubectl(
    'get',
    kinds,
    '-l',
    `${OF_RELEASE},app.kubernetes.io/component!=test`,
    '-o',
    'name',
  );
  return output.split('\n').filter(Boolean);
}
