import { randomUUID } from 'node:crypto';
import type { ApiLog } from '@casewatch/contracts/admin-log';
import { FOUND_USERS_MAX } from '@casewatch/contracts/find-users';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ADMIN, type AdminLogFixture, newUserId, startAdminLog } from './admin-log-fixture.ts';
import type { LookupFacts } from './lookup-at.ts';

const MARIA = newUserId();
const GARCIA = newUserId();
const MANY = Array.from({ length: FOUND_USERS_MAX + 1 }, newUserId);
const REQUEST = '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let log: AdminLogFixture;
const id: Record<string, string> = {};
const at = (time: string) => `2026-01-04T${time}.000Z`;

/** What one day of a small product leaves in the log. */
const DAY: Record<string, LookupFacts> = {
  answered: {
    outcome: 'answered',
    receiptNumber: 'WAC2400000001',
    endedAt: at('08:00:00'),
    durationMs: 80,
  },
  slow: {
    outcome: 'answered',
    receiptNumber: 'WAC2400000002',
    endedAt: at('09:00:00'),
    durationMs: 2_400,
  },
  stored: {
    outcome: 'stored',
    calls: [],
    statusCode: undefined,
    receiptNumber: 'WAC2500000001',
    endedAt: at('09:30:00'),
  },
  mistyped: {
    ...{ outcome: 'not-recognized', code: 'not-recognized', statusCode: 404 },
    ...{
      receiptNumber: 'EAC0000000001',
      endedAt: at('09:45:00'),
      source: 'user',
      userId: GARCIA,
      userFirstName: 'Ána',
    },
  },
  failed: {
    ...{
      outcome: 'fault',
      code: 'timeout',
      statusCode: undefined,
      durationMs: 8_000,
      queueMs: 12,
      agencyMs: 7_980,
    },
    ...{
      receiptNumber: 'IOE0000000007',
      endedAt: at('10:03:10'),
      source: 'user',
      userId: MARIA,
      userFirstName: 'Maria',
    },
    ...{ requestId: REQUEST, traceId: TRACE, tier: 'pro', origin: 'single', servedStale: true },
  },
  suspended: {
    ...{ outcome: 'circuit-open', code: 'resting', statusCode: undefined, calls: [] },
    ...{
      receiptNumber: 'IOE0000000007',
      endedAt: at('10:04:00'),
      source: 'user',
      userId: MARIA,
      userFirstName: 'Maria',
    },
    ...{ requestId: randomUUID(), tier: 'pro', origin: 'bulk' },
  },
  spent: {
    outcome: 'quota',
    code: 'budget-spent',
    statusCode: undefined,
    calls: [],
    endedAt: at('11:00:00'),
    receiptNumber: 'SRC0000000001',
  },
};

beforeAll(async () => {
  log = await startAdminLog({
    users: { garcia: [GARCIA], 'maria@example.org': [MARIA], smith: MANY },
  });
  for (const [name, facts] of Object.entries(DAY)) id[name] = await log.lookedUp(facts);
});
afterAll(() => log.stop());

async function found(q: string, more = ''): Promise<string[]> {
  const ids = await log.ids(`?q=${encodeURIComponent(q)}${more}`);
  return ids.map((one) => Object.keys(id).find((name) => id[name] === one) ?? one).reverse();
}

test.each([
  ['receipt:WAC24*', ['answered', 'slow']],
  ['wac-24', ['answered', 'slow']],
  ['receipt:WAC', ['answered', 'slow', 'stored']],
  ['receipt:WAC2400000001', ['answered']],
  ['IOE0000000007', ['failed', 'suspended']],
  ['user:mari', ['failed', 'suspended']],
  ['user:ana', ['mistyped']],
  ['user:ÁNA', ['mistyped']],
  ['user:Garcia', ['mistyped']],
  ['MARIA@example', ['failed', 'suspended']],
  [`user:${MARIA}`, ['failed', 'suspended']],
  ['outcome:fault', ['failed']],
  ['outcome:fault,circuit-open', ['failed', 'suspended']],
  ['cause:agency', ['failed', 'suspended']],
  ['cause:user', ['mistyped']],
  ['cause:us', ['spent']],
  ['code:timeout', ['failed']],
  [`request:${REQUEST}`, ['failed']],
  [`request:${REQUEST.slice(0, 8)}`, ['failed']],
  [REQUEST, ['failed']],
  [`trace:${TRACE}`, ['failed']],
  ['via:bulk', ['suspended']],
  ['tier:pro', ['failed', 'suspended']],
  ['ms:>2000', ['slow', 'failed']],
  ['ms:2000..3000', ['slow']],
  ['status:404', ['mistyped']],
  ['status:4xx', ['mistyped']],
  ['success:false -status:404', ['failed', 'suspended', 'spent']],
  ['-outcome:answered,stored', ['mistyped', 'failed', 'suspended', 'spent']],
  ['-outcome:answered,stored,fault tier:pro', ['suspended']],
  ['created:2026-01-04T10:03', ['failed']],
  ['created:>=2026-01-04T10:00 created:<2026-01-04T11:00', ['failed', 'suspended']],
  ['created:2026-01-03', []],
  ['source:monitor receipt:SRC', ['spent']],
  ['receipt:IOE outcome:fault user:maria ms:>1000 code:timeout -status:404', ['failed']],
])('%s finds what fits', async (q, names) => {
  expect(await found(q)).toEqual(names);
});

test.each([
  ['receipt:LIN success:false', ['second', 'first']],
  ['receipt:LIN000000001* success:false', ['first']],
  ['receipt:LIN0000000011 success:false', ['first']],
  ['receipt:LIN0000000022 success:false', ['second']],
  ['receipt:LIN0000000022 success:false source:user', ['second']],
  ['receipt:LIN0000000011 success:true', ['works']],
  ['receipt:MSC success:false', []],
])('failures of receipt numbers: %s finds each that fits once, newest first', async (q, names) => {
  const failure = { statusCode: 503 };
  const made: Record<string, LookupFacts> = {
    first: { ...failure, receiptNumber: 'LIN0000000011' },
    works: { receiptNumber: 'LIN0000000011' },
    second: {
      ...failure,
      receiptNumber: 'LIN0000000022',
      source: 'user',
      userId: MARIA,
      userFirstName: 'Maria',
    },
  };
  const own = await startAdminLog();
  try {
    const ids = new Map<string, string>();
    for (const [name, facts] of Object.entries(made)) {
      await own.clock.advance(1_000);
      ids.set(await own.lookedUp(facts), name);
    }
    const page = await own.logs(`?q=${encodeURIComponent(q)}`);
    expect(page.logs.map((row) => ids.get(row.id))).toEqual(names);
    expect([page.totalCount, page.totalIsExact]).toEqual([names.length, true]);
    const lines = await (await own.get(`/api/admin/logs.ndjson?q=${encodeURIComponent(q)}`)).text();
    expect(lines.split('\n').filter(Boolean)).toHaveLength(names.length);
  } finally {
    await own.stop();
  }
});

test('search and form narrow each other, and neither may say the same twice', async () => {
  expect(await found('cause:agency', '&source=user&from=2026-01-04T10:03:30Z')).toEqual(['suspended']);
  const twice = await log.get('/api/admin/logs?q=user:maria&user=ana');
  expect([twice.status, await twice.json()]).toMatchObject([
    400,
    { code: 'VALIDATION', details: [{ path: 'q' }] },
  ]);
});

test('a key that does not exist is refused with those that do', async () => {
  for (const path of ['logs', 'logs.csv', 'logs.ndjson']) {
    const answer = await log.get(`/api/admin/${path}?q=color:red`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'VALIDATION',
      error: expect.stringMatching(/Unknown key "color"\. You can use receipt, user, outcome/),
      details: [{ path: 'q' }],
    });
  }
});

test('a search by any name lists each lookup once, in order, on every page and to both sides of it', async () => {
  const [ana, ben, eve] = [newUserId(), newUserId(), newUserId()];
  const own = await startAdminLog({ users: { ana: [ana, ben] } });
  onTestFinished(() => own.stop());
  const ids: string[] = [];
  const people = [
    { userId: ana, userFirstName: 'Ana' },
    { userId: ben, userFirstName: 'Ben' },
    { userId: eve, userFirstName: 'Anabel' },
    { userId: newUserId(), userFirstName: 'Zoe' },
  ];
  for (let n = 0; n < 12; n++) {
    await own.clock.advance(1_000);
    const person = people[n % people.length];
    const id = await own.lookedUp({ ...person, source: 'user' });
    if (person?.userFirstName !== 'Zoe') ids.unshift(id);
  }
  const listed = ({ logs }: { logs: { id: string }[] }) => logs.map((row) => row.id);
  const first = await own.logs('?user=ana&limit=4');
  expect([listed(first), first.totalCount, first.totalIsExact]).toEqual([ids.slice(0, 4), 9, true]);
  const second = await own.logs('?user=ana&limit=4&offset=4');
  expect(listed(second)).toEqual(ids.slice(4, 8));
  expect(listed(await own.logs(`?user=ana&limit=4&older=${second.older}`))).toEqual(ids.slice(8));
  expect(listed(await own.logs(`?user=ana&limit=4&newer=${second.newer}`))).toEqual(ids.slice(0, 4));
  const from = second.logs[3]?.createdAt;
  const late = await own.logs(`?user=ana&from=${from}`);
  expect([listed(late), late.totalCount]).toEqual([ids.slice(0, 8), 8]);
});

test('the beginning of more last names than can be searched is refused, not answered in part', async () => {
  const answer = await log.get('/api/admin/logs?user=smith');
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: expect.stringMatching(/More than 100 last names/) },
  ]);
});

test('a page of a search is continued by cursors, and its total is counted', async () => {
  const first = await log.logs('?q=success:false&limit=3');
  expect([first.totalCount, first.totalIsExact, first.logs.length]).toEqual([4, true, 3]);
  const rest = await log.logs(`?q=success:false&limit=3&older=${first.older}`);
  expect(rest.logs.map((one) => one.id)).toEqual([id.mistyped]);
});

test('why Maria’s lookup at 10:03 failed is one request: reason, times, request and what she saw', async () => {
  const { logs } = await log.logs(`?q=${encodeURIComponent('user:maria created:2026-01-04T10:03')}`);
  expect(logs).toEqual([
    expect.objectContaining({
      outcome: 'fault',
      cause: 'agency',
      code: 'timeout',
      reason: 'The agency did not answer in time.',
      queueMs: 12,
      agencyMs: 7_980,
      durationMs: 8_000,
      agencyCalls: 1,
      requestId: REQUEST,
      traceId: TRACE,
      tier: 'pro',
      origin: 'single',
      servedStale: true,
    }),
  ]);
});

test('a row has an address, also when newer ones have come; one that is not there says so', async () => {
  const { logs } = await log.logs('?q=code:timeout');
  const [row] = logs;
  expect(await (await log.get(`/api/admin/logs/rows/${row?.place}`)).json()).toEqual(row);
  expect((await log.get(`/api/admin/logs/rows/${'A'.repeat(30)}`)).status).toBe(404);
  expect((await log.get('/api/admin/logs/rows/nonsense')).status).toBe(400);
});

test('calls before the last one are kept with the row', async () => {
  const calls = [
    { statusCode: 503, code: 'unavailable', durationMs: 20, response: 'closed' },
    { statusCode: 200, durationMs: 30, response: 'open' },
  ];
  await log.lookedUp({ receiptNumber: 'YSC0000000001', calls });
  const [row] = (await log.logs('?q=receipt:YSC')).logs;
  expect(row).toMatchObject({
    agencyCalls: 2,
    statusCode: 200,
    responsePayload: 'open',
    earlierCalls: [{ statusCode: 503, code: 'unavailable', durationMs: 20, responsePayload: 'closed' }],
  });
});

test('a lookup without a call has the request of its receipt number and no response', async () => {
  const [row] = (await log.logs('?q=outcome:stored')).logs as ApiLog[];
  expect(row).toMatchObject({ requestPayload: { receiptNumber: 'WAC2500000001' }, responsePayload: null });
});

test('an export of a search is in the audit trail without names and numbers', async () => {
  await log.forgetPublished();
  const q = 'receipt:IOE user:maria -outcome:answered ms:>1000';
  const text = await (await log.get(`/api/admin/logs.ndjson?q=${encodeURIComponent(q)}`)).text();
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  const [{ payload } = { payload: {} }] = await log.published();
  expect(payload).toMatchObject({
    details: { receiptNumber: 'the beginning of one', user: 'one', search: '-outcome:answered ms:>=1001' },
  });
});

test.each([
  ['user:maria', 403],
  ['receipt:IOE', 403],
  ['maria', 403],
  ['outcome:fault', 200],
  ['request:7b0f', 200],
])('an auditor who searches for %s gets %d: a search must not undo the masking', async (q, status) => {
  const answer = await log.call('GET', `/api/admin/logs?q=${encodeURIComponent(q)}`, {
    adminSession: ADMIN,
    adminRole: 'auditor',
  });
  expect(answer.status).toBe(status);
  expect(await answer.text()).not.toMatch(/Maria|IOE0000000007/);
});
