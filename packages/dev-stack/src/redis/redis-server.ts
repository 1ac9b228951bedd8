import { connect } from 'node:net';

const READY_WITHIN_MS = 30_000;
const TRY_MS = 1_000;
const PAUSE_MS = 5;

/** A real Redis server. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that is the caller's alone, to be taken away and given back. It keeps nothing: a restart loses all. */
export interface OwnTestRedis extends TestRedis {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, empty. */
  restart(): Promise<void>;
}

/** Resolves when the server answers a PING, if only with a wish for a password. @throws with what `gaveUp` says, or after half a minute. */
export async function untilRedisAnswers(
  host: string,
  port: number,
  /** What ends the wait early. */
  gaveUp: () => Error | undefined = () => undefined,
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (await answersPing(host, port)) return;
    const end = gaveUp();
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
