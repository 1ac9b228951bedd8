import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from '../tools/make-once.ts';

const recipe = fileURLToPath(new URL('../../redis/pom.xml', import.meta.url));
const INSTALLED = ['redis-server', 'valkey-server'];
/** How the binaries inside the artifact end, by Node's names. */
const ENDINGS: Record<string, string> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
};
const run = promisify(execFile);

/** Returns a server binary that runs here: an installed one, else one that Maven brings and the user's cache folder keeps. */
export async function findRedisBinary(): Promise<{ binary: string } | { problems: string[] }> {
  for (const binary of INSTALLED) if (await runs(binary)) return { binary };
  const ending = ENDINGS[`${process.platform}-${process.arch}`];
  if (!ending)
    return { problems: [`Maven's artifact has no server for ${process.platform}-${process.arch}`] };
  const folder = cacheFolder();
  try {
    await unpackOnce(folder);
  } catch (error) {
    return { problems: ['no redis-server is installed', `mvn did not bring one (${error})`] };
  }
  const name = readdirSync(folder).find((file) => file.endsWith(ending));
  if (!name) return { problems: [`Maven's artifact has no server for ${ending}`] };
  const binary = path.join(folder, name);
  return (await runs(binary)) ? { binary } : { problems: [`${binary} does not run here`] };
}

async function runs(binary: string): Promise<boolean> {
  return run(binary, ['--version']).then(
    () => true,
    () => false,
  );
}

function unpackOnce(folder: string): Promise<void> {
  return makeOnce(folder, async (made) => {
    await run('mvn', [
      ...['-q', '-B', '-f', recipe, 'dependency:unpack-dependencies'],
      ...[`-DoutputDirectory=${made}`, `-DmarkersDirectory=${path.join(made, 'markers')}`],
    ]);
    for (const file of readdirSync(made)) if (file !== 'markers') chmodSync(path.join(made, file), 0o755);
  });
}

function cacheFolder(): string {
  const version = /embedded-redis<\/artifactId>\s*<version>([^<]+)/.exec(readFileSync(recipe, 'utf8'))?.[1];
  return path.join(testCacheFolder(), `redis-${version}`);
}
