import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';
import type { RedisNode } from './redis-url.ts';

const LEAVE_MS = 2_000;

/** Makes ioredis connect to the next of `nodes` each time, so that an unavailable node is not retried forever. */
export function turningConnector(
  nodes: readonly RedisNode[],
  tls: boolean,
): NonNullable<RedisOptions['Connector']> {
  let turn = Math.floor(Math.random() * nodes.length);

  return class extends AbstractConnector {
    constructor() {
      super(LEAVE_MS);
    }

    override async connect(): Promise<Socket> {
      this.connecting = true;
      const node = nodes[turn++ % nodes.length];
      if (!node) throw new Error('no node of the cluster is known');
      const { host, port } = node;
      const socket = tls ? connectTls({ host, port, servername: host }) : createConnection({ host, port });
      socket.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = socket;
      return socket;
    }
  };
}
