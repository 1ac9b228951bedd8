import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Kubectl } from '../../src/kubectl.ts';
import { type Namespace, type NetworkPolicy, type Pod, policyRules, TABLE } from './policy-rules.ts';

export interface PolicyEnforcer {
  /** Resolves when what the API server holds now is in force. */
  applied(): Promise<void>;
  stop(): Promise<void>;
}

const PERIOD_MS = 500;
const run = promisify(execFile);

/** Keeps the node's firewall as the cluster's NetworkPolicies want it: what a network plug-in does, about a second late. */
export function enforcePolicies(kubectl: Kubectl): PolicyEnforcer {
  let last = '';
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  tick();

  function tick(): void {
    underWay = apply().catch((error: unknown) => console.error('network policies:', String(error)));
    void underWay.then(() => {
      if (!stopped) timer = setTimeout(tick, PERIOD_MS);
    });
  }

  async function apply(): Promise<void> {
    const [namespaces, pods, policies] = await Promise.all([
      items<Namespace>('namespaces'),
      items<Pod>('pods'),
      items<NetworkPolicy>('networkpolicies'),
    ]);
    const rules = policyRules({ namespaces, pods, policies });
    if (rules === last) return;
    const nft = run('nft', ['-f', '-']);
    nft.child.stdin?.end(rules);
    await nft;
    last = rules;
  }

  async function items<Item>(kind: string): Promise<Item[]> {
    return JSON.parse(await kubectl(['get', kind, '--all-namespaces', '-o', 'json'])).items;
  }

  return {
    applied: async () => {
      await underWay;
      await apply();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await underWay;
      await run('nft', ['delete', 'table', 'ip', TABLE]).catch(() => undefined);
    },
  };
}
