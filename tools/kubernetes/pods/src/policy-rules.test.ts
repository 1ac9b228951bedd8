import { describe, expect, it } from 'vitest';
import { type NetworkPolicy, type Pod, policyRules } from './policy-rules.ts';

const NAMESPACES = ['shop', 'kube-system'].map((name) => ({
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
}));
const gateway = pod('shop', '10.0.0.1', { app: 'gateway' });
const cases = pod('shop', '10.0.0.2', { app: 'cases' }, [{ name: 'http', containerPort: 8080 }]);
const dns = pod('kube-system', '10.0.0.9', { app: 'dns' });
const everyone = { matchLabels: {} };

function pod(
  namespace: string,
  podIP: string,
  labels: Record<string, string>,
  ports: { name: string; containerPort: number; protocol?: string }[] = [],
): Pod {
  return {
    metadata: { name: podIP, namespace, labels },
    spec: { containers: [{ ports }] },
    status: { podIP, phase: 'Running' },
  };
}

function policy(spec: NetworkPolicy['spec'], namespace = 'shop'): NetworkPolicy {
  return { metadata: { name: 'p', namespace }, spec };
}

/** Chain -> its rules, and which addresses are sent through which chain. */
function read(policies: NetworkPolicy[], pods: Pod[] = [gateway, cases, dns]) {
  const text = policyRules({ namespaces: NAMESPACES, pods, policies });
  const chains = Object.fromEntries(
    [...text.matchAll(/chain (\w+) \{\n([\s\S]*?)\n\}$/gm)].map(([, name = '', body = '']) => [
      name,
      body.split('\n').filter(Boolean),
    ]),
  );
  return { text, chains };
}

describe('policyRules', () => {
  it('replaces what was in force before, also when nothing is', () => {
    const { text } = read([]);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'table ip casewatch-policies {}',
      'delete table ip casewatch-policies',
      'table ip casewatch-policies {',
    ]);
  });

  it('leaves a pod open that no policy selects', () => {
    const { chains } = read([policy({ podSelector: { matchLabels: { app: 'cases' } } })]);
    expect(Object.keys(chains)).toEqual(['ingress_10_0_0_2', 'forward', 'input']);
  });

  it('shuts a pod in both directions when a policy of both types names no rule', () => {
    const { chains } = read([policy({ podSelector: everyone, policyTypes: ['Ingress', 'Egress'] })]);
    expect(chains.ingress_10_0_0_1).toEqual(['counter drop']);
    expect(chains.egress_10_0_0_1).toEqual(['counter drop']);
    expect(chains.forward).toContain('ip daddr 10.0.0.1 jump ingress_10_0_0_1');
    expect(chains.forward).toContain('ip saddr 10.0.0.1 jump egress_10_0_0_1');
  });

  it('judges what leaves a pod first, and lets answers through before all', () => {
    const { chains } = read([policy({ podSelector: everyone, policyTypes: ['Ingress', 'Egress'] })]);
    const kinds = (chains.forward ?? []).map((rule) => /established|saddr|daddr/.exec(rule)?.[0]);
    expect(kinds.filter(Boolean)).toEqual(['established', 'saddr', 'saddr', 'daddr', 'daddr']);
  });

  it('judges what a pod sends to the machine itself, and never what the machine sends to a pod', () => {
    const { chains } = read([policy({ podSelector: everyone, policyTypes: ['Ingress', 'Egress'] })]);
    expect(chains.input?.some((rule) => rule.includes('jump egress_'))).toBe(true);
    expect(chains.input?.some((rule) => rule.includes('jump ingress_'))).toBe(false);
    expect(chains.output).toBeUndefined();
  });

  it('has no say in another namespace', () => {
    const { chains } = read([policy({ podSelector: everyone, policyTypes: ['Ingress'] })]);
    expect(chains.ingress_10_0_0_9).toBeUndefined();
  });

  it('takes a policy without types for one of incoming connections, and of outgoing ones if it has rules for them', () => {
    const only = { matchLabels: { app: 'gateway' } };
    expect(read([policy({ podSelector: only })]).chains.egress_10_0_0_1).toBeUndefined();
    const both = read([policy({ podSelector: only, egress: [{}] })]).chains;
    expect(both.egress_10_0_0_1).toEqual(['return', 'counter drop']);
    expect(both.ingress_10_0_0_1).toEqual(['counter drop']);
  });

  it('adds up what several policies allow', () => {
    const from = (app: string) => ({ ingress: [{ from: [{ podSelector: { matchLabels: { app } } }] }] });
    const { chains } = read([
      policy({ podSelector: everyone }),
      policy({ podSelector: everyone, ...from('gateway') }),
      policy({ podSelector: everyone, ...from('cases') }),
    ]);
    expect(chains.ingress_10_0_0_2).toEqual([
      'ip saddr 10.0.0.1 return',
      'ip saddr 10.0.0.2 return',
      'counter drop',
    ]);
  });

  it('means pods of its own namespace by a pod selector, and of others by a namespace selector', () => {
    const system = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } };
    const to = [{ podSelector: everyone }, { namespaceSelector: system }];
    const { chains } = read([
      policy({ podSelector: { matchLabels: { app: 'cases' } }, policyTypes: ['Egress'], egress: [{ to }] }),
    ]);
    expect(chains.egress_10_0_0_2).toEqual([
      'ip daddr 10.0.0.1 return',
      'ip daddr 10.0.0.2 return',
      'ip daddr 10.0.0.9 return',
      'counter drop',
    ]);
  });

  it('means only the pods that both selectors name when a peer has both', () => {
    const system = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } };
    const to = [{ namespaceSelector: system, podSelector: { matchLabels: { app: 'web' } } }];
    const { chains } = read([policy({ podSelector: everyone, policyTypes: ['Egress'], egress: [{ to }] })]);
    expect(chains.egress_10_0_0_1).toEqual(['counter drop']);
  });

  it('allows addresses but for those that are excepted', () => {
    const ipBlock = { cidr: '10.1.0.0/16', except: ['10.1.2.0/24', '10.1.3.0/24'] };
    const { chains } = read([
      policy({ podSelector: everyone, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock }] }] }),
    ]);
    expect(chains.egress_10_0_0_1?.[0]).toBe(
      'ip daddr 10.1.0.0/16 ip daddr != { 10.1.2.0/24, 10.1.3.0/24 } return',
    );
  });

  it('allows ports by number, range, protocol, and by the name that the receiving container gives them', () => {
    const ports = [
      { port: 53, protocol: 'UDP' },
      { port: 80, endPort: 90 },
      { protocol: 'SCTP' },
      { port: 'http' },
    ];
    const { chains } = read([policy({ podSelector: everyone, ingress: [{ ports }] })]);
    expect(chains.ingress_10_0_0_2).toEqual([
      'udp dport 53 return',
      'tcp dport 80-90 return',
      'meta l4proto sctp return',
      'tcp dport 8080 return',
      'counter drop',
    ]);
    // No container of the gateway calls a port so.
    expect(chains.ingress_10_0_0_1).not.toContain('tcp dport 8080 return');
  });

  it.each([
    [{ key: 'app', operator: 'In', values: ['cases', 'billing'] }, ['10.0.0.2']],
    [{ key: 'app', operator: 'NotIn', values: ['cases'] }, ['10.0.0.1']],
    [{ key: 'app', operator: 'Exists' }, ['10.0.0.1', '10.0.0.2']],
    [{ key: 'tier', operator: 'DoesNotExist' }, ['10.0.0.1', '10.0.0.2']],
    [{ key: 'tier', operator: 'Exists' }, []],
  ])('selects by expression: %o', (expression, selected) => {
    const { chains } = read([policy({ podSelector: { matchExpressions: [expression] } })]);
    const names = Object.keys(chains).filter((name) => name.startsWith('ingress_'));
    expect(names).toEqual(selected.map((address) => `ingress_${address.replaceAll('.', '_')}`));
  });

  it('passes over pods that have ended, have no address, or use the address of the machine', () => {
    const ended = { ...pod('shop', '10.0.0.3', {}), status: { podIP: '10.0.0.3', phase: 'Succeeded' } };
    const waiting = { ...pod('shop', '', {}), status: { phase: 'Pending' } };
    const onMachine = pod('shop', '10.0.0.4', {});
    onMachine.spec.hostNetwork = true;
    const { chains } = read([policy({ podSelector: everyone })], [ended, waiting, onMachine]);
    expect(Object.keys(chains)).toEqual(['forward', 'input']);
  });
});
