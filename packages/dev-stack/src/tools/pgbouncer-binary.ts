import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianCommand } from './debian-program.ts';

const run = promisify(execFile);
/** The first one that keeps prepared statements in transaction mode; Debian 13 has 1.24. */
const OLDEST = [1, 21] as const;
const PACKAGES = [
  ...['pgbouncer', 'libcares2', 'libevent-2.1-7t64', 'libc6', 'libssl3t64', 'libpam0g', 'libsystemd0'],
  ...['libaudit1', 'libcap-ng0', 'libcap2', 'libzstd1', 'zlib1g'],
];

/**
 * Returns the words that start PgBouncer 1.21 or newer: the machine's own, else Debian's packages, unpacked into the user's
 * cache folder without being installed. @throws an error that says how to get it
 */
export async function pgbouncerCommand(): Promise<readonly [string, ...string[]]> {
  const { stdout: output } = await run('pgbouncer', ['--version']).catch(() => ({ stdout: '' }));
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ['pgbouncer'];
  try {
    return await debianCommand({ name: 'pgbouncer', program: 'usr/sbin/pgbouncer', packages: PACKAGES });
  } catch (cause) {
    throw new Error(
      `PgBouncer ${OLDEST.join('.')} or newer is needed (https://www.pgbouncer.org/install.html).`,
      { cause },
    );
  }
}
