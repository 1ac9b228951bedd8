import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

let log: AdminLogFixture;
const ids: string[] = [];
const GRACE = '0198d2f0-6a1c-7a53-8f5e-000000000001';

beforeAll(async () => {
  log = await startAdminLog();
  const actions = [
    { action: 'session.refused', success: false, address: '203.0.113.7', details: { reason: 'passcode' } },
    {
      action: 'session.opened',
      sessionId: ADMIN,
      address: '203.0.113.7',
      actor: 'Grace Hopper',
      actorId: GRACE,
      role: 'owner',
    },
    { action: 'survey.created', subject: 'survey:1', sessionId: ADMIN, details: { title: 'How was it?' } },
    {
      action: 'survey.changed',
      subject: 'survey:1',
      sessionId: ADMIN,
      details: { 'title before': 'How was it?' },
    },
    { action: 'survey.deleted', subject: 'survey:12', sessionId: ADMIN },
  ];
  for (const action of actions) {
    ids.unshift(await log.adminActed(action));
    await log.clock.advance(1_000);
  }
});
afterAll(() => log.stop());

const found = async (query: string) => (await log.audit(query)).entries.map(({ id }) => id);

test('actor, action and time are listed with outcome, network and place in the chain, newest first', async () => {
  const { entries, older } = await log.audit('?to=2026-01-05T12:00:05Z');
  expect(entries.map(({ id }) => id)).toEqual(ids);
  expect(older).toBeNull();
  expect(entries.slice(-2)).toEqual([
    {
      id: ids[3],
      at: '2026-01-05T12:00:01.000Z',
      actor: 'Grace Hopper',
      actorId: GRACE,
      role: 'owner',
      action: 'session.opened',
      subject: 'session',
      success: true,
      sessionId: ADMIN,
      address: '203.0.113.0/24',
      details: {},
      seq: 2,
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    },
    {
      id: ids[4],
      at: '2026-01-05T12:00:00.000Z',
      actor: null,
      actorId: null,
      role: null,
      action: 'session.refused',
      subject: 'session',
      success: false,
      sessionId: null,
      address: '203.0.113.0/24',
      details: { reason: 'passcode' },
      seq: 1,
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    },
  ]);
});

test('it is searched by how action, subject and actor begin, outcome and time', async () => {
  expect(await found('?action=session.opened')).toEqual([ids[3]]);
  expect(await found('?action=survey&to=2026-01-05T12:00:05Z')).toEqual(ids.slice(0, 3));
  expect(await found('?action=signed+in')).toEqual([ids[3]]);
  expect(await found('?action=Survey+chang')).toEqual([ids[1]]);
  expect(await found('?subject=survey:1')).toEqual(ids.slice(0, 3));
  for (const field of ['action', 'subject', 'actor']) {
    for (const pattern of ['%25', '_', '%5C']) expect(await found(`?${field}=${pattern}`)).toEqual([]);
  }
  expect(await found('?actor=gRACE')).toEqual([ids[3]]);
  expect(await found('?success=false')).toEqual([ids[4]]);
  expect(await found('?action=survey&success=false')).toEqual([]);
  expect(await found('?from=2026-01-05T12:00:01Z&to=2026-01-05T12:00:03Z')).toEqual([ids[2], ids[3]]);
});

test('who exported what: one search for the word finds the exports of everything', async () => {
  const details = { format: 'csv', receiptNumber: 'EAC******3403' };
  const logs = await log.adminActed({ action: 'logs.exported', actor: 'Ada Lovelace', details });
  await log.clock.advance(1_000);
  const survey = await log.adminActed({
    action: 'survey.exported',
    subject: 'survey:7',
    actor: 'Ada Lovelace',
  });
  const { entries } = await log.audit('?action=exported&actor=ada');
  expect(entries).toMatchObject([
    { id: survey, actor: 'Ada Lovelace', subject: 'survey:7' },
    { id: logs, actor: 'Ada Lovelace', details },
  ]);
});

test('the cursor leads through all of it, entries of one moment included', async () => {
  const together = await Promise.all(
    Array.from({ length: 7 }, () => log.adminActed({ action: 'together', subject: randomUUID() })),
  );
  const seen: string[] = [];
  let query = '?action=together&limit=2';
  for (;;) {
    const { entries, older } = await log.audit(query);
    seen.push(...entries.map(({ id }) => id));
    if (older === null) break;
    query = `?action=together&limit=2&older=${older}`;
  }
  expect(seen).toEqual([...together].sort().reverse());
});

test('a redelivered action is one entry, also after the inbox has expired', async () => {
  const eventId = await log.adminActed({ action: 'again' });
  await log.database.query('DELETE FROM admin_log.inbox');
  await log.adminActed({ action: 'again', eventId });
  expect(await found('?action=again')).toEqual([eventId]);
});

test.each([
  'older=x',
  'limit=0',
  'limit=201',
  'success=1',
  'from=now',
  `action=${'a'.repeat(61)}`,
  `subject=${'s'.repeat(101)}`,
  `actor=${'a'.repeat(101)}`,
])('%s is refused', async (query) => {
  const answer = await log.get(`/api/admin/audit?${query}`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION' }]);
});
