import { createServer, connect as dial, type Socket } from 'node:net';

export interface TcpBalancer {
  readonly url: string;
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Balances connections as a Kubernetes service does: each goes to the next port whose last `/readyz` succeeded, skipping
 * ports that refuse. With no port ready, all are tried.
 */
export async function startTcpBalancer(ports: readonly number[]): Promise<TcpBalancer> {
  let turn = 0;
  let stopped = false;
  const unavailable = new Set<number>();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    client.on('error', () => undefined);
    connectOnwards(client, ports.length);
  });
  const probing = setInterval(() => void Promise.all(ports.map(probe)), PROBE_EVERY_MS);

  async function probe(port: number): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal,
      headers: { connection: 'close' },
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) unavailable.delete(port);
    else unavailable.add(port);
  }

  function next(): number | undefined {
    const ready = ports.filter((port) => !unavailable.has(port));
    const chosen = ready.length > 0 ? ready : ports;
    return chosen[turn++ % chosen.length];
  }

  function connectOnwards(client: Socket, tries: number): void {
    const port = next();
    if (port === undefined || tries === 0 || stopped) {
      client.destroy();
      return;
    }
    const upstream = dial({ host: '127.0.0.1', port });
    const refused = () => connectOnwards(client, tries - 1);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      keep(client, upstream);
      keep(upstream, client);
      client.pipe(upstream).pipe(client);
    });
  }

  function keep(socket: Socket, other: Socket): void {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      // Data in flight to the other side arrives before the end does.
      if (socket.readableEnded) other.end();
      else other.destroy();
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      stopped = true;
      clearInterval(probing);
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
