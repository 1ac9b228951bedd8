import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const recipe = fileURLToPath(new URL('../redis/pom.xml', import.meta.url));
const INSTALLED = ['redis-server', 'valkey-server'];
/** How the binaries inside the artifact end, by Node's names. */
const ENDINGS: Record<string, string> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
};
const run = promisify(execFile);

/** A server binary that runs here: an installed one, else one that Maven brings and the user's cache folder keeps. */
export async function findRedisBinary(): Promise<{ binary: string } | { faults: string[] }> {
  for (const binary of INSTALLED) if (await runs(binary)) return { binary };
  const ending = ENDINGS[`${process.platform}-${process.arch}`];
  if (!ending) return { faults: [`Maven's artifact has no server for ${process.platform}-${process.arch}`] };
  const folder = cacheFolder();
  try {
    await unpackOnce(folder);
  } catch (error) {
    return { faults: ['no redis-server is installed', `mvn did not bring one (${error})`] };
  }
  const name = readdirSync(folder).find((file) => file.endsWith(ending));
  if (!name) return { faults: [`Maven's artifact has no server for ${ending}`] };
  const binary = path.join(folder, name);
  return (await runs(binary)) ? { binary } : { faults: [`${binary} does not run here`] };
}

async function runs(binary: string): Promise<boolean> {
  return run(binary, ['--version']).then(
    () => true,
    () => false,
  );
}

/** Made beside its place and renamed, so that any number of runs may do it at the same time. */
async function unpackOnce(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const made = `${folder}.${process.pid}.${performance.now()}`;
  mkdirSync(made, { recursive: true });
  try {
    await run('mvn', [
      ...['-q', '-B', '-f', recipe, 'dependency:unpack-dependencies'],
      ...[`-DoutputDirectory=${made}`, `-DmarkersDirectory=${path.join(made, 'markers')}`],
    ]);
    for (const file of readdirSync(made)) if (file !== 'markers') chmodSync(path.join(made, file), 0o755);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function cacheFolder(): string {
  const version = /embedded-redis<\/artifactId>\s*<version>([^<]+)/.exec(readFileSync(recipe, 'utf8'))?.[1];
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(base, 'casewatch', `redis-${version}`);
}
