import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inSnapshot } from '@casewatch/service-kit/database/transaction';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuditTrail } from '../src/data/audit-trail.ts';
import { toAdminAction } from '../src/domain/admin-action.ts';
import type { Link } from '../src/domain/audit-chain.ts';
import { createVerifier, verifyAudit } from '../src/verify-audit.ts';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

const DAY_MS = 86_400_000;

let log: AdminLogFixture;
beforeEach(async () => {
  log = await startAdminLog({ job: false });
});
afterEach(() => log.stop());

async function verify(...noted: Link[]) {
  const lines: string[] = [];
  const isUnbroken = await verifyAudit(poolExecutor(log.pool), noted, (line) => lines.push(line));
  return { isUnbroken, output: lines.join('\n') };
}
async function head(): Promise<Link> {
  const [, seq, hash = ''] = /^Head: (\d+):([\da-f]{64})$/m.exec((await verify()).output) ?? [];
  return { seq: Number(seq), hash };
}
/** As the owner of the database could. */
const tamper = (sql: string) =>
  log.database.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);

test('whatever an entry says, the database and the verifying command make the same hash of it', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  const action = fc.record(
    {
      action: text,
      subject: text,
      success: fc.boolean(),
      sessionId: text,
      address: text,
      actor: text,
      actorId: text,
      role: text,
      details: fc.dictionary(text, text, { maxKeys: 5 }),
    },
    { requiredKeys: ['action', 'subject', 'success', 'details'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 20 }), async (actions) => {
      const rows = actions.map((each, nth) =>
        toAdminAction(each, { id: uuidV7(nth), timeMs: log.clock.nowMs() + nth }),
      );
      await createAuditTrail(log.pool).record(poolExecutor(log.pool), rows);
      expect((await verify()).output).toContain('unbroken');
    }),
    { numRuns: 30 },
  );
});

test('entries that many processes write at once form one chain, each in it once', async () => {
  const eventId = uuidV7(log.clock.nowMs());
  await Promise.all(
    Array.from({ length: 40 }, (_, nth) =>
      log.adminActed({ action: `nth.${nth}`, subject: `s${nth}`, ...(nth % 4 === 0 ? { eventId } : {}) }),
    ),
  );
  expect(await verify()).toMatchObject({
    isUnbroken: true,
    output: expect.stringContaining('31 entries, from 1 to 31'),
  });
});

test.each([
  ['changed', `UPDATE admin_log.audit_entries SET actor = 'Mallory' WHERE seq = 2`, 'entry 2'],
  ['removed', 'DELETE FROM admin_log.audit_entries WHERE seq = 2', 'entry 2 is missing'],
  ['removed at the end', 'DELETE FROM admin_log.audit_entries WHERE seq = 3', 'ends at entry 2'],
  [
    'inserted outside of the chain',
    `INSERT INTO admin_log.audit_entries (id, at, action, subject, success, details, seq, hash)
     VALUES (gen_random_uuid(), now(), 'x', 'y', true, '{}', 9, 'hash')`,
    '1 entries stand outside',
  ],
])('an entry that is %s in the database itself is found', async (_name, sql, problem) => {
  for (let nth = 0; nth < 3; nth++) await log.adminActed({ action: `nth.${nth}` });
  expect((await verify()).isUnbroken).toBe(true);
  await tamper(sql);
  expect(await verify()).toMatchObject({ isUnbroken: false, output: expect.stringContaining(problem) });
});

test('a chain that was made anew is found by a head that was written down before', async () => {
  for (let nth = 0; nth < 3; nth++) await log.adminActed({ action: `nth.${nth}` });
  const noted = await head();
  await log.adminActed({ action: 'later' });
  expect((await verify(noted)).isUnbroken).toBe(true);
  await tamper(`
    UPDATE admin_log.audit_entries SET actor = 'Mallory' WHERE seq = 1;
    DO $$ DECLARE entry admin_log.audit_entries; last text := repeat('0', 64); BEGIN
      FOR entry IN SELECT * FROM admin_log.audit_entries ORDER BY seq LOOP
        last := admin_log.audit_hash(last, entry);
        UPDATE admin_log.audit_entries SET hash = last WHERE seq = entry.seq;
      END LOOP;
      UPDATE admin_log.audit_chain SET head_hash = last;
    END $$`);
  expect((await verify()).isUnbroken).toBe(true);
  expect(await verify(noted)).toMatchObject({ isUnbroken: false, output: expect.stringContaining('noted') });
});

test('the service itself can change nothing, and remove only what is oldest', async () => {
  for (let nth = 0; nth < 3; nth++) await log.adminActed({ action: `nth.${nth}` });
  const refused = (sql: string, why: string) => expect(log.pool.query(sql)).rejects.toThrow(why);
  await refused(`UPDATE audit_entries SET action = 'x'`, `the audit trail can't be changed`);
  await refused('UPDATE audit_chain SET head_seq = 0', `the audit trail can't be changed`);
  await refused('DELETE FROM audit_chain', `the audit trail can't be changed`);
  await refused('DELETE FROM audit_entries WHERE seq = 2', 'only the oldest entries');
  await refused('DELETE FROM audit_entries WHERE seq IN (1, 3)', 'only the oldest entries');
  await refused('TRUNCATE audit_entries', 'permission denied');
  expect((await verify()).isUnbroken).toBe(true);
});

test('what retention removes leaves a chain that can be verified, also behind an entry that came late', async () => {
  const old = await log.adminActed({ action: 'old' });
  await log.clock.advance(100 * DAY_MS);
  const kept = await log.adminActed({ action: 'kept' });
  const lateId = uuidV7(log.clock.nowMs());
  await createAuditTrail(log.pool).record(poolExecutor(log.pool), [
    toAdminAction(
      { action: 'late', subject: 's', success: true, details: {} },
      { id: lateId, timeMs: log.clock.nowMs() - 90 * DAY_MS },
    ),
  ]);
  const noted = await head();
  const { createLogMaintenance } = await import('../src/data/log-maintenance.ts');
  const removed = await createLogMaintenance(log.pool).removeAuditBefore(
    log.clock.nowMs() - 50 * DAY_MS,
    1_000,
  );
  expect(removed).toBe(1);
  const left = (await log.audit()).entries.map(({ id }) => id);
  expect(left).toEqual([kept, lateId]);
  expect(left).not.toContain(old);
  expect((await verify(noted)).output).toContain('unbroken: 2 entries, from 2 to 3');
});

test("a trail whose ends were removed is broken, and not one that can't be verified", async () => {
  await log.adminActed({ action: 'session.opened' });
  await tamper('DELETE FROM admin_log.audit_chain');
  expect(await verify()).toEqual({ isUnbroken: false, output: expect.stringContaining('BROKEN') });
});

test('a process that has verified the trail notices that all of it was removed, as if there had been none', async () => {
  const verifyAgain = createVerifier();
  const isUnbroken = () => verifyAgain(poolExecutor(log.pool), () => {});
  await log.adminActed({ action: 'session.opened' });
  expect(await isUnbroken()).toBe(true);
  await log.adminActed({ action: 'session.ended' });
  expect(await isUnbroken(), 'it may grow').toBe(true);
  await tamper(`
    DELETE FROM admin_log.audit_entries;
    UPDATE admin_log.audit_chain
    SET anchor_seq = 0, anchor_hash = repeat('0', 64), head_seq = 0, head_hash = repeat('0', 64)`);
  expect((await verify()).isUnbroken, 'of one who did not know it').toBe(true);
  expect(await isUnbroken()).toBe(false);
  expect(await isUnbroken(), 'and does not forget it').toBe(false);
});

test('a snapshot that is verified is unbroken also while retention removes its oldest entries', async () => {
  for (let nth = 0; nth < 3; nth++) await log.adminActed({ action: `nth.${nth}` });
  await log.clock.advance(100 * DAY_MS);
  const { createLogMaintenance } = await import('../src/data/log-maintenance.ts');
  const retain = () => createLogMaintenance(log.pool).removeAuditBefore(log.clock.nowMs(), 1);
  const lines: string[] = [];
  const isUnbroken = await inSnapshot(log.pool, (sql) =>
    verifyAudit(
      {
        async query(text, values) {
          const rows = await sql.query(text, values);
          if (text.includes('FROM audit_chain')) expect(await retain()).toBe(1);
          return rows as never;
        },
      },
      [],
      (line) => lines.push(line),
    ),
  );
  expect({ isUnbroken, said: lines[0] }).toEqual({
    isUnbroken: true,
    said: expect.stringContaining('3 entries, from 1 to 3'),
  });
});

test('the trail exports as a file named by title and date, with every hash, and says so in the trail', async () => {
  await log.adminActed({
    action: 'survey.changed',
    actor: 'Grace Hopper',
    role: 'owner',
    details: { title: 'A → B' },
  });
  await log.adminActed({ action: 'session.opened', actor: '=cmd()' });
  const answer = await log.get('/api/admin/audit.csv?action=survey');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="casewatch-audit-trail-2026-01-05.csv"',
  );
  const rows = (await answer.text()).trim().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatch(
    /^"1","2026-01-05T12:00:00.000Z","Grace Hopper","owner",.*"survey.changed","Survey changed",.*"title: A → B",.*"[\da-f]{64}"$/,
  );
  expect(await log.published()).toMatchObject([
    {
      payload: { action: 'audit.exported', actor: 'passcode', role: 'owner', details: { action: 'survey' } },
    },
  ]);
  expect(await (await log.get('/api/admin/audit.csv')).text()).toContain(`"'=cmd()"`);
});
