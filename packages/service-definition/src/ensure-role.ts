import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** What PostgreSQL says when another connection has created or altered the role in this moment. */
const CONCURRENT_ERRORS: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);
const TRIES = 20;
const PAUSE_MS = 25;

export interface RoleToEnsure {
  name: string;
  /** With it the role may log in; without, it stays as it is. */
  password?: string;
  /** Role that its sessions act as from their beginning, unless it is that role itself. */
  actsAs?: string;
}

/**
 * Makes sure that the role exists as described. Roles belong to the whole server, and so to no lock of one database: the
 * migrations of two may be at the same one at once, and both succeed.
 */
export async function ensureRole(client: ClientBase, role: RoleToEnsure): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await bringAbout(client, role);
      return;
    } catch (error) {
      if (tried === TRIES || !isConcurrent(error)) throw error;
      await sleep(PAUSE_MS * Math.random() * tried);
    }
  }
}

async function bringAbout(client: ClientBase, { name, password, actsAs }: RoleToEnsure): Promise<void> {
  const role = client.escapeIdentifier(name);
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (exists.rowCount === 0) await client.query(`CREATE ROLE ${role} NOLOGIN`);
  if (actsAs !== undefined && actsAs !== name) {
    const other = client.escapeIdentifier(actsAs);
    // Without the other role's rights of its own: a session that leaves that role can do nothing.
    await client.query(
      `ALTER ROLE ${role} NOINHERIT; GRANT ${other} TO ${role}; ALTER ROLE ${role} SET role = ${other}`,
    );
  }
  if (password) await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

function isConcurrent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONCURRENT_ERRORS.has(String(error.code));
}
