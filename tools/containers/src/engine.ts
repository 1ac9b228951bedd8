import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Child, spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { clientPlugin, PLUGINS } from './client-plugins.ts';

export interface ContainerEngine {
  /** Runs the docker client; resolves with what it wrote, rejects with its complaint. */
  docker(words: readonly string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<string>;
  /** Settings with which another program's docker client reaches the same engine. */
  readonly env: Record<string, string>;
  /** Ends an engine that was started here. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 100;
/** Nothing of the machine's firewall or routing is changed: ports are published by a proxy on loopback. */
const DAEMON_WORDS = ['--bip', '172.30.0.1/24', '--iptables=false', '--ip-forward=false', '--ip-masq=false'];
/** Debian's client belongs to Debian's engine; others in the PATH may want a newer one. */
const DEBIAN_CLIENT = '/usr/bin/docker';

/**
 * Starts the engine that answers (DOCKER_HOST is respected), else one started here where dockerd is installed and we are root.
 * @throws an error that says how to get one
 */
export async function startContainerEngine(): Promise<ContainerEngine> {
  const given = await engineAt('docker', {}, async () => undefined);
  if (given) return given;
  const isRoot = process.getuid?.() === 0;
  const installed = await run('dockerd', ['--version']).catch(() => undefined);
  if (!isRoot || !installed) {
    throw new Error(
      'No container engine answers. Start Docker; or on Debian, as root: apt-get install --no-install-recommends docker.io mmdebstrap',
    );
  }
  return startDaemon();
}

async function startDaemon(): Promise<ContainerEngine> {
  // A socket's path has a length limit, so that it lies apart from the data, which is kept between runs.
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-docker-'));
  const data = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'casewatch', 'docker');
  mkdirSync(data, { recursive: true });
  const socket = `unix://${path.join(folder, 'docker.sock')}`;
  const words = ['--data-root', path.join(data, 'data'), '--exec-root', path.join(folder, 'exec')];
  const daemon = spawnChild(
    'dockerd',
    [...words, '--pidfile', path.join(folder, 'dockerd.pid'), '-H', socket, ...DAEMON_WORDS],
    { detached: true },
  );
  const stop = () => stopDaemon(daemon, folder);
  let output = '';
  for (const stream of [daemon.stdout, daemon.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4_000);
    });
  }
  try {
    const plugins = path.join(folder, 'client', 'cli-plugins');
    mkdirSync(plugins, { recursive: true });
    for (const name of PLUGINS) {
      const plugin = await clientPlugin(name);
      symlinkSync(plugin, path.join(plugins, path.basename(plugin)));
    }
    const client = existsSync(DEBIAN_CLIENT) ? DEBIAN_CLIENT : 'docker';
    const env = { DOCKER_HOST: socket, DOCKER_CONFIG: path.dirname(plugins), DOCKER_BUILDKIT: '1' };
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline && daemon.exitCode === null) {
      const engine = await engineAt(client, env, stop);
      if (engine) return engine;
      await pause(POLL_MS);
    }
    throw new Error(`dockerd did not come up:\n${output}`);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopDaemon(daemon: Child, folder: string): Promise<void> {
  if (daemon.exitCode === null && daemon.signalCode === null) {
    const exited = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGTERM');
    await exited;
  }
  await run('ip', ['link', 'delete', 'docker0']).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}

async function engineAt(
  client: string,
  env: Record<string, string>,
  stop: () => Promise<void>,
): Promise<ContainerEngine | undefined> {
  const engine: ContainerEngine = {
    docker: async (words, options = {}) => {
      const { stdout } = await run(client, words, {
        cwd: options.cwd,
        env: { ...process.env, ...env, ...options.env },
        maxBuffer: OUTPUT_LIMIT_BYTES,
      });
      return stdout;
    },
    env: { ...env, PATH: `${path.dirname(client)}:${process.env.PATH}` },
    stop,
  };
  const version = await engine.docker(['version', '--format', '{{.Server.Version}}']).catch(() => '');
  return version.trim() ? engine : undefined;
}
