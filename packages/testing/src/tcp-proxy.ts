import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

/**
 * - `refuse`: connections are refused, and open ones are reset.
 * - `hang`: nothing passes and nothing fails; what was sent arrives when it is over, as TCP sends it again.
 * - `reset`: connections are taken and reset at once.
 * - `latencyMs`: every answer comes so much later.
 */
export type ProxyMode = 'pass' | 'refuse' | 'hang' | 'reset' | { latencyMs: number };

export interface Address {
  host: string;
  port: number;
}

export interface TcpProxy {
  readonly port: number;
  /** From now on; connections that are open feel it too. Resolves when it is so for new ones. */
  set(mode: ProxyMode): Promise<void>;
  stop(): Promise<void>;
}

/** One direction of a connection: chunks in flight, in order; undefined marks the end. */
type Carrier = () => void;

/**
 * Starts a loopback proxy in front of a real server, through which its faults are acted out. The target may be set later, by
 * a function: some servers must know the proxy's port before they start.
 */
export async function startTcpProxy(target: Address | (() => Address)): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const open = new Set<Socket>();
  const carriers = new Set<Carrier>();
  const server = createServer((client) => {
    if (mode === 'refuse' || mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = dial(typeof target === 'function' ? target() : target);
    carry(client, upstream, () => 0);
    carry(upstream, client, () => (typeof mode === 'object' ? mode.latencyMs : 0));
  });

  function carry(from: Socket, to: Socket, delayMs: () => number): void {
    const inFlight: { chunk: Buffer | undefined; atMs: number }[] = [];
    const take = (chunk: Buffer | undefined) => {
      inFlight.push({ chunk, atMs: performance.now() + delayMs() });
      deliver();
    };
    function deliver(): void {
      for (let next = inFlight[0]; next && mode !== 'hang'; next = inFlight[0]) {
        const inMs = next.atMs - performance.now();
        if (inMs > 0) {
          setTimeout(deliver, inMs);
          return;
        }
        inFlight.shift();
        if (next.chunk === undefined) {
          carriers.delete(deliver);
          to.destroy();
        } else if (to.writable) {
          to.write(next.chunk);
        }
      }
    }
    open.add(from);
    carriers.add(deliver);
    from.setNoDelay(true);
    from.on('data', take);
    from.on('error', () => undefined);
    from.on('close', () => {
      open.delete(from);
      take(undefined);
    });
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  return {
    port,
    async set(next) {
      mode = next;
      if (next === 'refuse' || next === 'reset') for (const socket of open) socket.resetAndDestroy();
      if (next === 'refuse' && server.listening) server.close();
      for (const deliver of carriers) deliver();
      if (next !== 'refuse' && !server.listening) await listen(port);
    },
    stop: async () => {
      mode = 'pass';
      for (const socket of open) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
