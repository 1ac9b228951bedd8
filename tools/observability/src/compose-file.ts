import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { clientPlugin } from '../../containers/src/client-plugins.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  ports: z.array(z.object({ host_ip: z.string().optional(), target: z.number() })).default([]),
  volumes: z.array(z.object({ type: z.string(), source: z.string(), target: z.string() })).default([]),
  healthcheck: z.object({ disable: z.boolean().optional() }).optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  restart: z.string().optional(),
});
const ComposeFile = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
});
export type ComposeFile = z.infer<typeof ComposeFile>;
export type ComposeService = z.infer<typeof Service>;

/**
 * Returns docker-compose.yml as Docker's own compose understands it when the script that people use calls it.
 * @param folder where the secrets are made or found, in `compose.env`
 */
export async function composeFile(
  folder: string,
  { words = [], env = {} }: { words?: readonly string[]; env?: Record<string, string> } = {},
): Promise<ComposeFile> {
  // Without `compose` as its first word the plugin is a program of its own; reading a file needs no engine.
  const client = `#!/bin/sh\nshift\nexec '${await clientPlugin('compose')}' "$@"\n`;
  writeFileSync(path.join(folder, 'docker'), client, { mode: 0o755 });
  const script = path.join(repository, 'scripts', 'compose.mjs');
  const { stdout } = await run(process.execPath, [script, ...words, 'config', '--format', 'json'], {
    cwd: repository,
    env: {
      PATH: `${folder}${path.delimiter}${process.env.PATH}`,
      HOME: folder,
      COMPOSE_SECRETS: path.join(folder, 'compose.env'),
      ...env,
    },
  });
  return ComposeFile.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
}
