import type { AuditEntry } from '@casewatch/contracts/admin-log';
import { expect, test } from 'vitest';
import { type AuditTrail, exportAudit, listAudit, toAuditFilter } from './list-audit.ts';
import type { Position } from './position.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const idOf = (nth: number) => `00000000-0000-0000-0000-${String(nth).padStart(12, '0')}`;
const entryOf = (nth: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id: idOf(nth),
  at: new Date(NOW - nth).toISOString(),
  actor: 'Grace',
  actorId: null,
  role: 'owner',
  action: 'session.opened',
  subject: 'session',
  success: true,
  sessionId: null,
  address: null,
  details: {},
  seq: 1,
  hash: 'hash',
  ...changes,
});

/** A trail of the given number of entries, and where it was read from. */
function trailOf(count: number) {
  const reads: [Position | undefined, number][] = [];
  const trail: AuditTrail = {
    list: async (_filter, olderThan, limit) => {
      reads.push([olderThan, limit]);
      const from = olderThan ? NOW - olderThan.atMs + 1 : 0;
      const length = Math.max(0, Math.min(limit, count - from));
      return Array.from({ length }, (_, nth) => entryOf(from + nth));
    },
    record: async () => undefined,
  };
  return { trail, reads };
}
const position = (nth: number): Position => ({ atMs: NOW - nth, id: idOf(nth) });

async function exported(trail: AuditTrail, isMasked = false) {
  let text = '';
  for await (const piece of exportAudit(trail, {}, isMasked)) text += piece;
  return text.split('\r\n').slice(1, -1);
}

test.each([
  [0, [undefined]],
  [199, [undefined]],
  [200, [undefined, position(199)]],
  [401, [undefined, position(199), position(399)]],
])('an export of %i entries has each once, read in batches', async (count, from) => {
  const { trail, reads } = trailOf(count);
  const rows = await exported(trail);
  expect(rows.map((row) => row.split(',')[12])).toEqual(
    Array.from({ length: count }, (_, nth) => `"${idOf(nth)}"`),
  );
  expect(reads).toEqual(from.map((olderThan) => [olderThan, 200]));
});

test('details are lines of an export, and what is masked of them says so', async () => {
  const details = { title: 'How was it?', userName: 'Ana', 'mailed to': 'ana@example.org' };
  const trail: AuditTrail = {
    list: async () => [entryOf(0, { details })],
    record: async () => undefined,
  };
  const column = (rows: string[]) => rows.join().split('","')[9];
  expect(column(await exported(trail))).toBe('title: How was it?\nuserName: Ana\nmailed to: ana@example.org');
  expect(column(await exported(trail, true))).toBe(
    'title: How was it?\nuserName: (masked)\nmailed to: (email address)',
  );
});

test.each([
  [3, 3, false],
  [3, 2, false],
  [3, 4, true],
])(
  'a page of %i of %i entries has a cursor where there are older ones: %s',
  async (limit, count, hasOlder) => {
    const { trail, reads } = trailOf(count);
    const { entries, older } = await listAudit(trail, { limit });
    expect(entries).toHaveLength(Math.min(limit, count));
    expect(older !== null).toBe(hasOlder);
    expect(reads).toEqual([[undefined, limit + 1]]);
    if (older === null) return;
    await listAudit(trail, { limit, older });
    expect(reads[1]).toEqual([position(limit - 1), limit + 1]);
  },
);

test('empty texts of a filter are not asked for', () => {
  const nothing = { action: undefined, subject: undefined, actor: undefined, success: undefined };
  expect(toAuditFilter({ action: '', subject: '', actor: '' })).toEqual({
    ...nothing,
    fromMs: undefined,
    toMs: undefined,
  });
  expect(
    toAuditFilter({ subject: 's\0', actor: 'g\0', success: false, from: '2026-01-05T12:00:00Z' }),
  ).toMatchObject({ subject: 's\ufffd', actor: 'g\ufffd', success: false, fromMs: NOW });
});
