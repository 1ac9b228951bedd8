import { createHash } from 'node:crypto';
import type { AdminAction } from './admin-action.ts';

/** What the hash of an entry covers, as it is stored. */
export interface ChainedEntry extends Omit<AdminAction, 'atMs'> {
  readonly seq: number;
  /** ISO 8601 with milliseconds, UTC. */
  readonly at: string;
  readonly hash: string;
}

export interface Link {
  readonly seq: number;
  readonly hash: string;
}

/** Where the chain begins and ends by the database's own account. */
export interface ChainEnds {
  /** The newest entry that retention has removed, or the beginning. */
  readonly anchor: Link;
  readonly head: Link;
}

export interface Verdict {
  readonly checked: number;
  /** What is wrong first, as a sentence; undefined for an unbroken chain. */
  readonly problem: string | undefined;
}

/**
 * Follows the chain from its anchor to its head over `entries` in the order of `seq`. `noted` are links that were
 * written down earlier, outside of the database: they must be part of it, unless retention has removed them.
 */
export async function verifyChain(
  { anchor, head }: ChainEnds,
  entries: AsyncIterable<ChainedEntry> | Iterable<ChainedEntry>,
  noted: readonly Link[] = [],
): Promise<Verdict> {
  let last = anchor;
  let checked = 0;
  const isNoted = (link: Link) => noted.every(({ seq, hash }) => seq !== link.seq || hash === link.hash);
  if (!isNoted(anchor)) return { checked, problem: `the anchor ${anchor.seq} is not the one that was noted` };
  for await (const entry of entries) {
    const problem =
      problemOf(entry, last) ??
      (isNoted(entry) ? undefined : `entry ${entry.seq} is not the one that was noted`);
    if (problem) return { checked, problem };
    last = entry;
    checked += 1;
  }
  const missing = noted.find(({ seq }) => seq > last.seq);
  if (last.seq !== head.seq || last.hash !== head.hash) {
    return { checked, problem: `the chain ends at entry ${last.seq}, but its head is entry ${head.seq}` };
  }
  return { checked, problem: missing && `entry ${missing.seq}, which was noted, is missing` };
}

function problemOf(entry: ChainedEntry, last: Link): string | undefined {
  if (entry.seq !== last.seq + 1)
    return `entry ${last.seq + 1} is missing: entry ${entry.seq} follows ${last.seq}`;
  if (hashEntry(last.hash, entry) !== entry.hash) return `entry ${entry.seq} (${entry.id}) was changed`;
  return undefined;
}

/** Returns the SHA-256 of an entry and the hash before it, hex: the same as `audit_hash` in the database. */
export function hashEntry(previous: string, entry: Omit<ChainedEntry, 'hash'>): string {
  const { seq, id, at, actor, actorId, role, action, subject, success, sessionId, address, details } = entry;
  const pairs = Object.entries(details)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flat();
  const fields = [
    previous,
    String(seq),
    id,
    at,
    actor,
    actorId,
    role,
    action,
    subject,
    String(success),
    sessionId,
    address,
  ];
  return createHash('sha256')
    .update([...fields, ...pairs].map(field).join(''))
    .digest('hex');
}

const field = (value: string | null) => `${value === null ? '-' : `${Buffer.byteLength(value)}:${value}`},`;
