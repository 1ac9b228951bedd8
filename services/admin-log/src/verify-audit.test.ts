import { expect, test } from 'vitest';
import { type ChainedEntry, hashEntry } from './domain/audit-chain.ts';
import { verifyAudit } from './verify-audit.ts';

const START = 'a'.repeat(64);
const ANCHOR = 7;

/** A chain of the given number of entries after an anchor. */
function chainOf(count: number): ChainedEntry[] {
  let previous = START;
  return Array.from({ length: count }, (_, nth) => {
    const content = {
      seq: ANCHOR + 1 + nth,
      id: `id ${nth}`,
      at: '2026-01-05T12:00:00.000Z',
      actor: null,
      actorId: null,
      role: null,
      action: 'session.opened',
      subject: 'session',
      success: true,
      sessionId: null,
      address: null,
      details: {},
    };
    previous = hashEntry(previous, content);
    return { ...content, hash: previous };
  });
}

/** Verifies these entries as the database has them; what it says, and from where each batch was read. */
async function verified(entries: ChainedEntry[], outside = 0) {
  const lines: string[] = [];
  const reads: unknown[] = [];
  const head = entries.at(-1);
  const query = async (sql: string, values: readonly unknown[]) => {
    // Numbers of eight bytes come as texts.
    if (sql.includes('FROM audit_chain'))
      return [
        {
          anchorSeq: String(ANCHOR),
          anchorHash: START,
          headSeq: String(head?.seq ?? ANCHOR),
          headHash: head?.hash ?? START,
          outside: String(outside),
        },
      ];
    reads.push(values);
    const [after, last] = values.map(Number);
    return entries
      .filter(({ seq }) => seq > (after ?? 0) && seq <= (last ?? 0))
      .slice(0, 1_000)
      .map((entry) => ({ ...entry, seq: String(entry.seq) }));
  };
  const isUnbroken = await verifyAudit({ query: query as never }, [], (line) => lines.push(line));
  return { isUnbroken, lines, reads };
}

test.each([
  [0, [ANCHOR]],
  [999, [ANCHOR]],
  [1_000, [ANCHOR, ANCHOR + 1_000]],
  [2_100, [ANCHOR, ANCHOR + 1_000, ANCHOR + 2_000]],
])(
  'a chain of %i entries is read in batches up to its head, and reported as unbroken',
  async (count, from) => {
    const entries = chainOf(count);
    const headSeq = ANCHOR + count;
    const { isUnbroken, lines, reads } = await verified(entries);
    expect(isUnbroken).toBe(true);
    expect(lines).toEqual([
      `The audit trail is unbroken: ${count} entries, from ${ANCHOR + 1} to ${headSeq}.`,
      `Head: ${headSeq}:${entries.at(-1)?.hash ?? START}`,
    ]);
    expect(reads).toEqual(from.map((after) => [after, headSeq]));
  },
);

test('an entry outside of the chain, or a changed one, breaks it', async () => {
  expect(await verified(chainOf(2), 1)).toMatchObject({
    isUnbroken: false,
    lines: [
      'The audit trail is BROKEN: 1 entries stand outside of it.',
      '2 entries before that are as they were written.',
    ],
  });
  const changed = chainOf(3).map((entry, nth) => (nth === 1 ? { ...entry, actor: 'Mallory' } : entry));
  expect(await verified(changed)).toMatchObject({
    isUnbroken: false,
    lines: [
      expect.stringMatching(/^The audit trail is BROKEN: entry 9 .*changed\.$/),
      '1 entries before that are as they were written.',
    ],
  });
});
