import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type Child, spawnChild } from '@casewatch/dev-stack/processes/child-process';

const POLL_MS = 100;
const KILL_AFTER_MS = 5_000;
const LAST_WORDS_LENGTH = 3_000;

export interface Programs {
  start(name: string, binary: string, words: readonly string[]): Promise<void>;
  /** @throws when one of the programs has ended, or after `readySeconds`, with the last reason of `check` */
  until(what: string, check: () => Promise<boolean>): Promise<void>;
  /** What each of them wrote last. */
  lastWords(): string;
  /** Ends them in the opposite order. */
  stop(): Promise<void>;
}

/** Creates the parts of a cluster that run in `folder` until they are stopped; none of them outlives this process. */
export function createPrograms(
  folder: string,
  readySeconds: number,
  options: { env?: NodeJS.ProcessEnv; detached?: boolean } = {},
): Programs {
  const children: { name: string; child: Child; output: () => string }[] = [];
  return {
    async start(name, binary, words) {
      const child = spawnChild(binary, words, { cwd: folder, ...options });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = `${output}${text}`.slice(-LAST_WORDS_LENGTH);
        });
      }
      children.push({ name, child, output: () => output });
    },

    async until(what, check) {
      const deadline = performance.now() + readySeconds * 1_000;
      for (;;) {
        const failure = await check().then(
          (done) => (done ? undefined : 'not yet'),
          (error: unknown) => String(error),
        );
        if (failure === undefined) return;
        const ended = children.find(({ child }) => child.exitCode !== null);
        if (ended) throw new Error(`${ended.name} ended`);
        if (performance.now() > deadline)
          throw new Error(`not within ${readySeconds} s: ${what} (${failure})`);
        await pause(POLL_MS);
      }
    },

    lastWords: () => children.map(({ name, output }) => `== ${name}\n${output()}`).join('\n'),

    async stop() {
      for (const { child } of children.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        const killing = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
        await ended;
        clearTimeout(killing);
      }
    },
  };
}

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Returns one etcd that forgets everything with its folder. */
export function etcdWords(folder: string, url: string, peerUrl: string): string[] {
  return [
    ...['--data-dir', folder, '--unsafe-no-fsync', '--initial-cluster', `default=${peerUrl}`],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
  ];
}

/** Returns an API server that knows its users by tokens. `file` finds the certificates and keys; those of the proxy's client are named `frontClient`. */
export function apiServerWords(server: {
  etcdUrl: string;
  address: string;
  port: number;
  certificates: string;
  file: (name: string) => string;
  frontClient: string;
  tokens: string;
}): string[] {
  const { file, frontClient } = server;
  return [
    ...['--etcd-servers', server.etcdUrl, '--bind-address', server.address],
    ...['--advertise-address', server.address, '--secure-port', String(server.port)],
    ...['--cert-dir', server.certificates, '--token-auth-file', server.tokens],
    ...['--authorization-mode', 'Node,RBAC', '--allow-privileged'],
    ...['--service-account-issuer', 'https://kubernetes.default.svc'],
    ...['--service-account-key-file', file('sa.pub'), '--service-account-signing-key-file', file('sa.key')],
    ...['--requestheader-client-ca-file', file('front.crt')],
    ...['--requestheader-allowed-names', 'front-proxy-client'],
    ...['--requestheader-username-headers', 'X-Remote-User'],
    ...['--requestheader-group-headers', 'X-Remote-Group'],
    ...['--requestheader-extra-headers-prefix', 'X-Remote-Extra-'],
    ...['--proxy-client-cert-file', file(`${frontClient}.crt`)],
    ...['--proxy-client-key-file', file(`${frontClient}.key`)],
  ];
}
