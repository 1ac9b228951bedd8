import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from './make-once.ts';

const run = promisify(execFile);
/** The first one that keeps prepared statements in transaction mode. */
const OLDEST = [1, 21] as const;
/** Debian 13 has 1.24. Its libraries come with it, since the machine's own may be older. */
const SUITE = 'trixie';
const PACKAGES = [
  ...['pgbouncer', 'libcares2', 'libevent-2.1-7t64', 'libc6', 'libssl3t64', 'libpam0g', 'libsystemd0'],
  ...['libaudit1', 'libcap-ng0', 'libcap2', 'libzstd1', 'zlib1g'],
];

/**
 * Returns the words that start PgBouncer 1.21 or newer: the machine's own, else Debian's packages, unpacked into the user's
 * cache folder without being installed. @throws an error that says how to get it
 */
export async function pgbouncerCommand(): Promise<readonly [string, ...string[]]> {
  const { stdout: said } = await run('pgbouncer', ['--version']).catch(() => ({ stdout: '' }));
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ['pgbouncer'];
  const folder = path.join(testCacheFolder(), `pgbouncer-${SUITE}-${process.arch}`);
  try {
    await makeOnce(folder, unpack);
  } catch (cause) {
    throw new Error(
      `PgBouncer ${OLDEST.join('.')} or newer is needed: install it (https://www.pgbouncer.org/install.html), or run this on ` +
        `a Debian whose keys know ${SUITE}.`,
      { cause },
    );
  }
  const libraries = readdirSync(path.join(folder, 'usr/lib')).filter((name) => name.includes('-linux-'));
  const library = path.join(folder, 'usr/lib', libraries[0] ?? '');
  const loader = readdirSync(library).find((name) => name.startsWith('ld-linux'));
  return [
    path.join(library, loader ?? ''),
    ...['--library-path', library, path.join(folder, 'usr/sbin/pgbouncer')],
  ];
}

/** apt checks the signatures of its lists and the checksums of the packages. */
async function unpack(made: string): Promise<void> {
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
  await run('apt-get', [...options, 'download', ...PACKAGES], { cwd: apt });
  for (const file of readdirSync(apt).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', path.join(apt, file), made]);
}
