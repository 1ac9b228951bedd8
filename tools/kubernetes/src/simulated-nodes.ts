import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { goModuleFolder } from './go-tool.ts';

/** kwok's own stages, in its module: what becomes of nodes and pods, and how quickly. */
const STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
];
/** A pod with this label stays as it is made: the drill for a rollout that fails. */
export const NEVER_READY = 'simulation/never-ready';

interface Stage {
  metadata: { name: string };
  spec: { selector: { matchExpressions: { key: string; operator: string; values?: string[] }[] } };
}

/** Returns the configuration of the simulation. Pods of `helm test`, which no Job owns, end well like those of a Job. */
export async function simulationStages(folder: string): Promise<string> {
  const source = path.join(await goModuleFolder('sigs.k8s.io/kwok'), 'kustomize', 'stage');
  const stages = STAGES.flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(source, file), 'utf8')).map(
      (document): Stage => document.toJS(),
    ),
  );
  const ready = stages.find(({ metadata }) => metadata.name === 'pod-ready');
  const complete = stages.find(({ metadata }) => metadata.name === 'pod-complete');
  if (!ready || !complete) throw new Error('kwok has no stages of these names');
  ready.spec.selector.matchExpressions.push({
    key: `.metadata.labels["${NEVER_READY}"]`,
    operator: 'DoesNotExist',
  });
  const test = structuredClone(complete);
  test.metadata.name = 'helm-test-complete';
  for (const expression of test.spec.selector.matchExpressions) {
    if (!expression.key.includes('ownerReferences')) continue;
    expression.key = '.metadata.annotations["helm.sh/hook"]';
    expression.values = ['test'];
  }
  const log = path.join(folder, 'pod.log');
  writeFileSync(log, '2026-01-01T00:00:00.000000000Z stdout F simulated\n');
  const logs = {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'ClusterLogs',
    metadata: { name: 'all' },
    spec: { logs: [{ logsFile: log, follow: false }] },
  };
  return [...stages, test, logs].map((document) => stringify(document)).join('---\n');
}

/** Manifests of `count` nodes, each in a zone of its own. */
export function simulatedNodes(count: number): string {
  const size = { cpu: '16', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110' };
  const nodes = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${index}`,
      labels: {
        'kubernetes.io/hostname': `node-${index}`,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': `zone-${index}`,
      },
    },
    status: { allocatable: size, capacity: size },
  }));
  return nodes.map((node) => JSON.stringify(node)).join('\n---\n');
}
