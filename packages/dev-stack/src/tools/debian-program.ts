import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from './make-once.ts';

const run = promisify(execFile);
const SUITE = 'trixie';

export interface DebianProgram {
  readonly name: string;
  /** Its path in the package: `usr/sbin/nginx`. */
  readonly program: string;
  /** Its package and those of its libraries, since the machine's own may be older. */
  readonly packages: readonly string[];
}

/**
 * Returns the words that start a program of Debian 13's packages, unpacked the first time into the user's cache folder without being
 * installed. @throws an error that says how to get it
 */
export async function debianCommand({
  name,
  program,
  packages,
}: DebianProgram): Promise<readonly [string, ...string[]]> {
  const folder = path.join(testCacheFolder(), `${name}-${SUITE}-${process.arch}`);
  try {
    await makeOnce(folder, (made) => unpack(made, packages));
  } catch (cause) {
    throw new Error(`${name} is needed: install it, or run this on a Debian whose keys know ${SUITE}.`, {
      cause,
    });
  }
  const libraries = readdirSync(path.join(folder, 'usr/lib')).filter((file) => file.includes('-linux-'));
  const library = path.join(folder, 'usr/lib', libraries[0] ?? '');
  const loader = readdirSync(library).find((file) => file.startsWith('ld-linux'));
  return [path.join(library, loader ?? ''), '--library-path', library, path.join(folder, program)];
}

/** apt checks the signatures of its lists and the checksums of the packages. */
async function unpack(made: string, packages: readonly string[]): Promise<void> {
  const apt = path.join(made, 'apt');
  mkdirSync(path.join(apt, 'lists/partial'), { recursive: true });
  mkdirSync(path.join(apt, 'cache/archives/partial'), { recursive: true });
  const sources = path.join(apt, 'sources.list');
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(sources, `deb [signed-by=${key}] http://deb.debian.org/debian ${SUITE} main\n`);
  const options = [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Lists=${path.join(apt, 'lists')}`,
    `Dir::Cache=${path.join(apt, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  await run('apt-get', [...options, 'update']);
  await run('apt-get', [...options, 'download', ...packages], { cwd: apt });
  for (const file of readdirSync(apt).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', path.join(apt, file), made]);
}
