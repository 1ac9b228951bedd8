import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@casewatch/dev-stack/free-port';
import { z } from 'zod';
import type { ContainerEngine } from './engine.ts';
import { caBundle, repository } from './product-image.ts';

export interface Composition {
  readonly url: string;
  /** Where browsers reach the payments simulator. */
  readonly paymentsUrl: string;
  readonly network: string;
  readonly tag: string;
  /** Runs `docker compose` on this project. */
  compose(words: readonly string[]): Promise<string>;
  containers(): Promise<Container[]>;
  /** Ends it and removes its data. */
  down(): Promise<void>;
}

/** The parts of `docker inspect` that the tests use. */
export type Container = z.infer<typeof Container>;
const Container = z.object({
  Id: z.string(),
  State: z.object({
    Pid: z.number(),
    StartedAt: z.string(),
    Status: z.string(),
    ExitCode: z.number(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
  Config: z.object({ User: z.string(), Labels: z.record(z.string(), z.string()) }),
  HostConfig: z.object({
    ReadonlyRootfs: z.boolean(),
    CapDrop: z.array(z.string()).nullish(),
    SecurityOpt: z.array(z.string()).nullish(),
    Privileged: z.boolean(),
    PortBindings: z.record(z.string(), z.array(z.object({ HostIp: z.string() })).nullish()).nullish(),
  }),
});

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

export const serviceOf = (container: Container): string =>
  container.Config.Labels['com.docker.compose.service'] ?? '';

/** Starts all of docker-compose.yml by the script that people use, as a project of its own; resolves when it is ready. */
export async function startComposition(engine: ContainerEngine): Promise<Composition> {
  const project = `casewatch-${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-compose-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const bundle = caBundle();
  const env = {
    ...process.env,
    ...engine.env,
    BUILDKIT_PROGRESS: 'plain',
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_FILE: ['docker-compose.yml', 'tools/containers/compose.build.yml'].join(path.delimiter),
    COMPOSE_SECRETS: path.join(folder, 'compose.env'),
    CASEWATCH_TAG: project,
    PORT: String(port),
    PUBLIC_URL: url,
    AGENCY_SIMULATOR_PORT: String(await freePort()),
    PAYMENTS_SIMULATOR_PORT: String(await freePort()),
    MAILBOX_PORT: String(await freePort()),
    MONITORING_PERIOD_SCALE: '0.0001',
    // The visitor buys Pro, and reads no e-mails.
    ACCOUNT_MAILS: 'false',
    ...(bundle ? { CA_BUNDLE: bundle } : {}),
  };
  const options = { cwd: repository, env, maxBuffer: OUTPUT_LIMIT_BYTES };
  const compose = async (words: readonly string[]) => {
    const { stdout } = await run('docker', ['compose', '--env-file', env.COMPOSE_SECRETS, ...words], options);
    return stdout;
  };
  const containers = async () => {
    const ids = (await compose(['ps', '--all', '--quiet'])).split('\n').filter(Boolean);
    return z.array(Container).parse(JSON.parse(await engine.docker(['inspect', ...ids])));
  };
  const down = async () => {
    await compose(['down', '--volumes', '--timeout', '10']);
    await engine.docker(['image', 'rm', `casewatch:${project}`]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await run(process.execPath, [path.join(repository, 'scripts', 'compose.mjs')], options);
  } catch (error) {
    const output = await compose(['logs', '--no-color', '--tail', '15']).catch(() => '');
    await down().catch(() => undefined);
    throw new Error(`docker-compose.yml did not come up:\n${error}\n${output}`);
  }
  return {
    url,
    paymentsUrl: `http://localhost:${env.PAYMENTS_SIMULATOR_PORT}`,
    network: `${project}_default`,
    tag: `casewatch:${project}`,
    compose,
    containers,
    down,
  };
}
