import { createServer, connect as dial, type Socket } from 'node:net';

export type ProxyMode = 'pass' | 'refuse' | 'hang' | 'reset' | { latencyMs: number };

export interface TcpProxy {
  readonly port: number;
  /** From now on; connections that are open feel it too. */
  set(mode: ProxyMode): void;
  stop(): Promise<void>;
}

/** A loopback proxy in front of a real server, through which its faults are acted out. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (mode === 'refuse' || mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = dial(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk) => forward(chunk, to));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });

  function forward(chunk: Buffer | string, to: Socket): void {
    if (mode === 'hang') return;
    if (typeof mode === 'object') setTimeout(() => to.writable && to.write(chunk), mode.latencyMs);
    else to.write(chunk);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    set(next) {
      mode = next;
      if (next === 'refuse' || next === 'reset') for (const socket of open) socket.resetAndDestroy();
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
