/** NetworkPolicies of one node as nftables rules: which connections between pods, and from pods outwards, are let through. */

interface Labels {
  [name: string]: string;
}
interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}
interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: Selector;
  podSelector?: Selector;
}
interface Port {
  port?: number | string;
  endPort?: number;
  protocol?: string;
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: Port[];
}
export interface Pod {
  metadata: { name: string; namespace: string; labels?: Labels };
  spec: {
    hostNetwork?: boolean;
    containers: { ports?: { name?: string; containerPort: number; protocol?: string }[] }[];
  };
  status: { podIP?: string; phase: string };
}
export interface NetworkPolicy {
  metadata: { name: string; namespace: string };
  spec: { podSelector: Selector; policyTypes?: string[]; ingress?: Rule[]; egress?: Rule[] };
}
export interface Namespace {
  metadata: { name: string; labels?: Labels };
}
export interface PolicyWorld {
  namespaces: readonly Namespace[];
  pods: readonly Pod[];
  policies: readonly NetworkPolicy[];
}

type Direction = 'Ingress' | 'Egress';
const DIRECTIONS: readonly Direction[] = ['Ingress', 'Egress'];
export const TABLE = 'casewatch-policies';

/**
 * Returns a script for `nft -f` that replaces the whole table. A pod that no policy selects is open; one that is selected gets
 * only what some policy allows, plus answers to what it began itself. The node's own connections to pods, such as
 * probes, are always let in.
 */
export function policyRules(world: PolicyWorld): string {
  const pods = world.pods.filter(
    ({ spec, status }) =>
      status.podIP && !spec.hostNetwork && status.phase !== 'Succeeded' && status.phase !== 'Failed',
  );
  const chains: string[] = [];
  const jumps: Record<Direction, string[]> = { Ingress: [], Egress: [] };
  for (const pod of pods) {
    for (const direction of DIRECTIONS) {
      const policies = world.policies.filter((policy) => applies(policy, pod, direction));
      if (policies.length === 0) continue;
      const address = pod.status.podIP ?? '';
      const chain = `${direction.toLowerCase()}_${address.replaceAll('.', '_')}`;
      const allowed = policies.flatMap((policy) => rulesOf(policy, direction, pod, { ...world, pods }));
      chains.push(`chain ${chain} {\n${[...new Set(allowed)].join('\n')}\ncounter drop\n}`);
      jumps[direction].push(`ip ${direction === 'Ingress' ? 'daddr' : 'saddr'} ${address} jump ${chain}`);
    }
  }
  const hook = (name: string, rules: readonly string[]) =>
    `chain ${name} {\ntype filter hook ${name} priority 0; policy accept;\nct state established,related accept\n${rules.join('\n')}\n}`;
  return [
    `table ip ${TABLE} {}`,
    `delete table ip ${TABLE}`,
    `table ip ${TABLE} {`,
    ...chains,
    hook('forward', [...jumps.Egress, ...jumps.Ingress]),
    // What pods send to this machine itself.
    hook('input', jumps.Egress),
    '}\n',
  ].join('\n');
}

function applies({ metadata, spec }: NetworkPolicy, pod: Pod, direction: Direction): boolean {
  const types = spec.policyTypes ?? (spec.egress ? ['Ingress', 'Egress'] : ['Ingress']);
  return (
    metadata.namespace === pod.metadata.namespace &&
    types.includes(direction) &&
    selects(spec.podSelector, pod.metadata.labels)
  );
}

function rulesOf(policy: NetworkPolicy, direction: Direction, pod: Pod, world: PolicyWorld): string[] {
  const rules = (direction === 'Ingress' ? policy.spec.ingress : policy.spec.egress) ?? [];
  const side = direction === 'Ingress' ? 'saddr' : 'daddr';
  return rules.flatMap((rule) =>
    peersOf((direction === 'Ingress' ? rule.from : rule.to) ?? [], policy.metadata.namespace, world).flatMap(
      ({ match, target }) =>
        portsOf(rule.ports ?? [], direction === 'Ingress' ? pod : target).map((port) =>
          [match.replaceAll('SIDE', side), port, 'return'].filter(Boolean).join(' '),
        ),
    ),
  );
}

function peersOf(
  peers: readonly Peer[],
  namespace: string,
  world: PolicyWorld,
): { match: string; target?: Pod }[] {
  if (peers.length === 0) return [{ match: '' }];
  const labelsOf = new Map(world.namespaces.map(({ metadata }) => [metadata.name, metadata.labels]));
  return peers.flatMap(({ ipBlock, namespaceSelector, podSelector }) => {
    if (ipBlock) {
      const except = ipBlock.except?.length ? ` ip SIDE != { ${ipBlock.except.join(', ')} }` : '';
      return [{ match: `ip SIDE ${ipBlock.cidr}${except}` }];
    }
    return world.pods
      .filter(({ metadata }) =>
        namespaceSelector
          ? selects(namespaceSelector, labelsOf.get(metadata.namespace))
          : metadata.namespace === namespace,
      )
      .filter(({ metadata }) => !podSelector || selects(podSelector, metadata.labels))
      .map((target) => ({ match: `ip SIDE ${target.status.podIP}`, target }));
  });
}

function portsOf(ports: readonly Port[], target: Pod | undefined): string[] {
  if (ports.length === 0) return [''];
  return ports.flatMap(({ port, endPort, protocol = 'TCP' }) => {
    const name = protocol.toLowerCase();
    if (port === undefined) return [`meta l4proto ${name}`];
    if (typeof port === 'number') return [`${name} dport ${port}${endPort ? `-${endPort}` : ''}`];
    return (target?.spec.containers ?? [])
      .flatMap((container) => container.ports ?? [])
      .filter((candidate) => candidate.name === port && (candidate.protocol ?? 'TCP') === protocol)
      .map(({ containerPort }) => `${name} dport ${containerPort}`);
  });
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return operator === 'Exists' ? value !== undefined : value === undefined;
    })
  );
}
