import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { readChain } from './data/audit-trail.ts';
import { type Link, verifyChain } from './domain/audit-chain.ts';

/**
 * Verifies the chain of the audit trail and says in lines what was found; true when it is unbroken. `noted` are heads
 * that earlier runs have printed.
 */
export async function verifyAudit(
  sql: SqlExecutor,
  noted: readonly Link[],
  say: (line: string) => void,
): Promise<boolean> {
  return (await headOfUnbroken(sql, noted, say)) !== undefined;
}

/** Returns `verifyAudit` with the head that it found last: it notices, too, that the whole chain was made anew since. */
export function createVerifier(): (sql: SqlExecutor, say: (line: string) => void) => Promise<boolean> {
  let noted: readonly Link[] = [];
  return async (sql, say) => {
    const head = await headOfUnbroken(sql, noted, say);
    if (head) noted = [head];
    return head !== undefined;
  };
}

async function headOfUnbroken(
  sql: SqlExecutor,
  noted: readonly Link[],
  say: (line: string) => void,
): Promise<Link | undefined> {
  const chain = await readChain(sql);
  if (!chain) {
    say('The audit trail is BROKEN: the row that says where its chain begins and ends is missing.');
    return undefined;
  }
  const { ends, outside, entries } = chain;
  const { checked, problem } = await verifyChain(ends, entries, noted);
  if (problem === undefined && outside === 0) {
    say(`The audit trail is unbroken: ${checked} entries, from ${ends.anchor.seq + 1} to ${ends.head.seq}.`);
    say(`Head: ${ends.head.seq}:${ends.head.hash}`);
    return ends.head;
  }
  say(
    problem
      ? `The audit trail is BROKEN: ${problem}.`
      : `The audit trail is BROKEN: ${outside} entries stand outside of it.`,
  );
  say(`${checked} entries before that are as they were written.`);
  return undefined;
}
