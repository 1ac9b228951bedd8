import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { makeMemoryFolder } from './memory-folder.ts';

/** A server of the caller's own, to be stopped and restarted with its data. */
export interface OwnTestPostgres {
  /** URL of its owner; another one after a restart. */
  ownerUrl(): string;
  /** Ends every connection and starts it again on the same data, at another port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL from npm's binaries; its data is deleted when it stops. */
export async function startOwnTestPostgres(): Promise<OwnTestPostgres> {
  const folder = makeMemoryFolder('own-pg');
  const password = randomBytes(16).toString('base64url');
  const start = () =>
    startEmbeddedPostgres({
      dataDir: path.join(folder, 'data'),
      password,
      serverSettings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'],
    });
  let server = await start();
  return {
    ownerUrl: () => server.ownerUrl,
    restart: async () => {
      await server.stop();
      server = await start();
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
