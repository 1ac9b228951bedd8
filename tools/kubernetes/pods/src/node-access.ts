import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { goTool } from '../../src/go-tool.ts';
import { createKubectl, type Kubectl } from '../../src/kubectl.ts';
import { nodeTool } from './node-tools.ts';

/** What a test needs of the node that runs on this machine. */
export interface NodeAccess {
  readonly kubectl: Kubectl;
  readonly kubeconfig: string;
  /** Runs containerd's own client. */
  ctr(words: readonly string[]): Promise<string>;
  /** On the machine, of the first process of a container. @throws when it has none */
  processOf(container: string): Promise<number>;
}

/** Everything of the node lies here. One at a time: bridge, addresses and cgroups have fixed names. */
export const NODE_FOLDER = '/tmp/casewatch-node';
const run = promisify(execFile);

export async function nodeAccess(): Promise<NodeAccess> {
  const kubeconfig = adminKubeconfig(NODE_FOLDER);
  const client = await nodeTool('ctr');
  const ctr = async (words: readonly string[]) => {
    const { stdout } = await run(client, ['-a', `${NODE_FOLDER}/containerd.sock`, '-n', 'k8s.io', ...words]);
    return stdout;
  };
  return {
    kubectl: createKubectl(await goTool('kubectl'), kubeconfig),
    kubeconfig,
    ctr,
    processOf: async (container) => {
      const rows = (await ctr(['task', 'ls'])).split('\n').map((line) => line.split(/\s+/));
      const pid = Number(rows.find(([name]) => name === container)?.[1]);
      if (!(pid > 0)) throw new Error(`container ${container} has no process`);
      return pid;
    },
  };
}

export const adminKubeconfig = (folder: string): string => `${folder}/admin.kubeconfig`;
