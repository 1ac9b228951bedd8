import { connect } from 'node:net';

const READY_WITHIN_MS = 30_000;
const TRY_MS = 1_000;
const PAUSE_MS = 5;

/** A real Redis server. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server of the caller's own, to be killed and restarted. It stores nothing: a restart loses all data. */
export interface OwnTestRedis extends TestRedis {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, empty. */
  restart(): Promise<void>;
}

/** Resolves when the server answers a PING, if only by asking for a password. @throws the error of `exited`, or after half a minute */
export async function waitForRedis(
  host: string,
  port: number,
  /** Returns an error to end the wait early. */
  exited: () => Error | undefined = () => undefined,
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (await answersPing(host, port)) return;
    const end = exited();
    if (end) throw end;
    if (performance.now() > deadline) throw new Error(`no Redis answers at ${host}:${port}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function answersPing(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(TRY_MS, () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => end(/^(\+PONG|-NOAUTH)/.test(reply.toString())));
  });
}
