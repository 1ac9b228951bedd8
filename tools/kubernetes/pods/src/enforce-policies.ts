import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApiReader } from './api-reader.ts';
import { type Namespace, type NetworkPolicy, type Pod, policyRules, TABLE } from './policy-rules.ts';

export interface PolicyEnforcer {
  /** Resolves when what the API server holds now is in force. */
  applied(): Promise<void>;
  stop(): Promise<void>;
}

const PERIOD_MS = 150;
const run = promisify(execFile);

/** Keeps the node's firewall as the cluster's NetworkPolicies want it: what a network plug-in does, a moment late. */
export function enforcePolicies(kubeconfig: string): PolicyEnforcer {
  const api = createApiReader(kubeconfig);
  let last = '';
  let stopped = false;
  let inProgress: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  tick();

  function tick(): void {
    inProgress = apply().catch((error: unknown) => console.error('network policies:', String(error)));
    void inProgress.then(() => {
      if (!stopped) timer = setTimeout(tick, PERIOD_MS);
    });
  }

  async function apply(): Promise<void> {
    const [namespaces, pods, policies] = await Promise.all([
      api.items<Namespace>('/api/v1/namespaces'),
      api.items<Pod>('/api/v1/pods'),
      api.items<NetworkPolicy>('/apis/networking.k8s.io/v1/networkpolicies'),
    ]);
    const rules = policyRules({ namespaces, pods, policies });
    if (rules === last) return;
    const nft = run('nft', ['-f', '-']);
    nft.child.stdin?.end(rules);
    await nft;
    last = rules;
  }

  return {
    applied: async () => {
      await inProgress;
      await apply();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await inProgress;
      api.stop();
      await run('nft', ['delete', 'table', 'ip', TABLE]).catch(() => undefined);
    },
  };
}
