import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { redisBinary } from './redis.ts';
import { sendRedisCommand } from './redis-command.ts';
import { startRedisProcess } from './redis-process.ts';

/** A real cluster in which every node holds a part of the keys, without replicas. */
export interface TestRedisCluster {
  /** Names two of the nodes; they name the third. */
  readonly url: string;
  /** To be killed and restarted; a node comes back empty, as what it was. */
  readonly nodes: readonly { readonly port: number; kill(): Promise<void>; restart(): Promise<void> }[];
  stop(): Promise<void>;
}

const NODES = 3;
const SLOTS = 16_384;
/** The port of a node's cluster bus is that much higher than its own. */
const BUS_PORT_ABOVE = 10_000;
/** Both ports of a node are below those of outgoing connections. */
const NODE_PORTS = { first: 20_000, last: 22_767 };
const NODE_TIMEOUT_MS = 5_000;
const READY_WITHIN_MS = 60_000;

/** Starts three masters from a binary of this machine. @throws when there is none, or when they don't agree in a minute */
export async function startTestRedisCluster(): Promise<TestRedisCluster> {
  const binary = await redisBinary();
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-test-redis-cluster-'));
  const nodes: Awaited<ReturnType<typeof startRedisProcess>>[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    while (nodes.length < NODES) {
      const dir = path.join(folder, `${nodes.length}`);
      mkdirSync(dir);
      const words = ['--cluster-enabled', 'yes', '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`];
      const kept = ['--dir', dir, '--save', '', '--appendonly', 'no'];
      nodes.push(await startRedisProcess(binary, { port: await portWithBus(), words: [...words, ...kept] }));
    }
    const ports = nodes.map(({ port }) => port);
    await Promise.all(
      ports.map((port, index) => sendRedisCommand(port, `CLUSTER ADDSLOTS ${slotsOf(index).join(' ')}`)),
    );
    const [first = 0, ...others] = ports;
    for (const port of others) await sendRedisCommand(first, `CLUSTER MEET 127.0.0.1 ${port}`);
    await untilAllAgree(ports);
    return { url: `redis+cluster://127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}`, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function portWithBus(): Promise<number> {
  for (;;) {
    const port = await freePort(NODE_PORTS);
    const bus = port + BUS_PORT_ABOVE;
    const isReserved = await freePort({ first: bus, last: bus }).then(
      () => true,
      () => false,
    );
    if (isReserved) return port;
  }
}

const slotsOf = (index: number): number[] =>
  Array.from({ length: SLOTS }, (_, slot) => slot).filter(
    (slot) => Math.floor((slot * NODES) / SLOTS) === index,
  );

async function untilAllAgree(ports: readonly number[]): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const infos = await Promise.all(ports.map((port) => sendRedisCommand(port, 'CLUSTER INFO')));
    const views = await Promise.all(ports.map((port) => sendRedisCommand(port, 'CLUSTER NODES')));
    const agrees = (info: string) =>
      info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${ports.length}`);
    if (infos.every(agrees) && views.every((view) => isConnectedToAll(view, ports.length))) return;
    if (performance.now() > deadline) throw new Error(`the nodes don't form a cluster: ${infos.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Whether a node's links to all others are up: what is published at it is lost for those to which none is yet. */
function isConnectedToAll(nodes: string, count: number): boolean {
  const lines = nodes.split('\n').filter((line) => /^[0-9a-f]{40} /.test(line));
  return (
    lines.length === count && lines.every((line) => !line.includes('handshake') && / connected\b/.test(line))
  );
}
