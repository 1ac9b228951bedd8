import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** What PostgreSQL says when another connection has created or altered the role in this moment. */
const MEANWHILE: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);
const TRIES = 20;
const PAUSE_MS = 25;

/**
 * Makes sure that the role exists and, when a password is given, may log in with it. Roles belong to the whole server,
 * and so to no lock of one database: the migrations of two may be at the same one at once, and both succeed.
 */
export async function ensureRole(
  client: ClientBase,
  name: string,
  password: string | undefined,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await bringAbout(client, name, password);
      return;
    } catch (error) {
      if (tried === TRIES || !isMeanwhile(error)) throw error;
      await sleep(PAUSE_MS * Math.random() * tried);
    }
  }
}

async function bringAbout(client: ClientBase, name: string, password: string | undefined): Promise<void> {
  const role = client.escapeIdentifier(name);
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (exists.rowCount === 0) await client.query(`CREATE ROLE ${role} NOLOGIN`);
  if (password) await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

function isMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MEANWHILE.has(String(error.code));
}
