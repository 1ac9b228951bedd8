import {
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@casewatch/dev-stack/postgres/embedded-postgres';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import pg from 'pg';
import { mustCome } from './until.ts';

const SETTINGS = ['fsync=off', 'synchronous_commit=off'];
const PASSWORD = 'archived';

/** A server whose WAL is archived, as managed PostgreSQL has it: from a backup it is restored to any later moment, at a new address. */
export async function startArchivedPostgres({ archiveTimeoutSeconds }: { archiveTimeoutSeconds: number }) {
  const folder = makeMemoryFolder('archived-pg');
  const at = (name: string) => path.join(folder, name);
  // The server runs as another account where the tests run as root.
  mkdirSync(at('archive'), { mode: 0o777 });
  const servers: EmbeddedPostgres[] = [];
  const primary = await startEmbeddedPostgres({
    dataDir: at('primary'),
    password: PASSWORD,
    serverSettings: [
      ...SETTINGS,
      ...['wal_level=replica', 'archive_mode=on', `archive_timeout=${archiveTimeoutSeconds}`],
      `archive_command=cp %p ${at('archive')}/%f`,
    ],
  }).catch((error) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  servers.push(primary);
  const isArchived = (segment: string) => readdirSync(at('archive')).includes(segment);

  return {
    ownerUrl: primary.ownerUrl,
    /** Copies the files of the running server, as `pg_basebackup` does. */
    async backUp(): Promise<void> {
      const client = new pg.Client({ connectionString: primary.ownerUrl });
      await client.connect();
      try {
        await client.query(`SELECT pg_backup_start('backup', fast => true)`);
        const isLeftOut = (name: string) =>
          /^(?:pg_wal|postmaster\.(?:pid|opts)|pg_internal\.init.*)$/.test(name);
        cpSync(at('primary'), at('backup'), {
          recursive: true,
          preserveTimestamps: true,
          filter: (file) => !isLeftOut(path.basename(file)),
        });
        const { rows } = await client.query<{ labelfile: string; segment: string }>(
          'SELECT labelfile, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(wait_for_archive => true)',
        );
        writeFileSync(at('backup/backup_label'), rows[0]?.labelfile ?? '');
        mkdirSync(at('backup/pg_wal/archive_status'), { recursive: true });
        expectFound(isArchived(rows[0]?.segment ?? ''));
      } finally {
        await client.end();
      }
    },
    /** Resolves once the archive has all that is committed now, `archive_timeout` later at most. */
    async archived(): Promise<void> {
      const client = new pg.Client({ connectionString: primary.ownerUrl });
      await client.connect();
      const { rows } = await client.query<{ segment: string }>(
        'SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment',
      );
      await client.end();
      await mustCome('its WAL is archived', async () => isArchived(rows[0]?.segment ?? ''));
    },
    /** Loses the server: what it has not archived is gone with it. */
    async lose(): Promise<void> {
      const [pid] = readFileSync(at('primary/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await mustCome('its connections are closed', async () => !(await answers(primary.ownerUrl)));
      rmSync(at('primary'), { recursive: true, force: true });
    },
    /** Restores the backup and the archive on a new server: up to the moment, else as far as they reach. Resolves to its address. */
    async restore(name: string, until?: Date): Promise<string> {
      cpSync(at('backup'), at(name), { recursive: true });
      writeFileSync(at(`${name}/recovery.signal`), '');
      belongTo(at(name), statSync(at('backup/PG_VERSION')));
      const server = await startEmbeddedPostgres({
        dataDir: at(name),
        password: PASSWORD,
        serverSettings: [
          ...SETTINGS,
          `restore_command=cp ${at('archive')}/%f %p`,
          'recovery_target_action=promote',
          // At this point of its start the server knows no names of time zones.
          ...(until ? [`recovery_target_time=${until.toISOString().replace('Z', '+00')}`] : []),
        ],
      });
      servers.push(server);
      await mustCome('it is promoted', () => isWritable(server.ownerUrl), 60_000);
      return server.ownerUrl;
    },
    async stop(): Promise<void> {
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function expectFound(found: boolean): void {
  if (!found) throw new Error('the backup is not whole: its last WAL is not in the archive');
}

/** As root, files are made by root and have to belong to the server's account. */
function belongTo(entry: string, { uid, gid }: { uid: number; gid: number }): void {
  if (process.getuid?.() !== 0) return;
  for (const name of readdirSync(entry, { recursive: true }))
    lchownSync(path.join(entry, String(name)), uid, gid);
  lchownSync(entry, uid, gid);
}

async function ask(url: string, statement: string): Promise<boolean | undefined> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ yes: boolean }>(statement);
    return rows[0]?.yes;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const answers = async (url: string) => (await ask(url, 'SELECT true AS yes')) === true;
const isWritable = async (url: string) => (await ask(url, 'SELECT NOT pg_is_in_recovery() AS yes')) === true;
