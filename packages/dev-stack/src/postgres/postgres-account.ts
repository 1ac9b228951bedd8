import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';

/** Shown in the terminal: one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The system account that the server runs as when we are root. */
export interface PostgresAccount {
  uid: number;
  gid: number;
  /** Words that go before a command to run it as this account. */
  prefix: string[];
}

/**
 * PostgreSQL refuses to run as root. As root we run it as `postgres` or `nobody`; where that account can't
 * reach the folders, `setpriv` lends it the one capability that it needs for that.
 */
export function chooseAccount(dataDir: string, binary: string): PostgresAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = idsOf('postgres') ?? idsOf('nobody') ?? { uid: 65_534, gid: 65_534 };
  const setpriv = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chownSync(dataDir, uid, gid);
  const reaches = (words: string[]) => {
    try {
      execFileSync(words[0] ?? '', [
        ...words.slice(1),
        'sh',
        '-c',
        `test -x "$0" && test -w "$1"`,
        binary,
        dataDir,
      ]);
      return true;
    } catch {
      return false;
    }
  };
  if (reaches(setpriv)) return { uid, gid, prefix: setpriv };
  // Without the securebit, access(2) ignores the lent capability, and initdb looks for its binaries with access(2).
  const lent = [
    ...setpriv,
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  if (reaches(lent)) return { uid, gid, prefix: lent };
  throw new EmbeddedPostgresError(
    `PostgreSQL can't run as root, and another account can't reach ${dataDir}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${user}:`));
    const [, , uid, gid] = line?.split(':') ?? [];
    return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
  } catch {
    return undefined;
  }
}
