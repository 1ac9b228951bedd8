import {
  listSavedCasesPage,
  SAVED_CASE_SORTS,
  type SavedCasesPage,
  savedCasesQuery,
} from '@casewatch/contracts/workspace';
import type { Person } from '@casewatch/testing/test-service';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createListReader, LIST } from '../src/data/list-saved-cases.ts';
import { pageStatement, summaryStatement } from '../src/data/saved-cases-page.ts';
import { ADA, BOB, type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

/** PAT's 2,000 cases, among as many of each of ten others, stored in no order. */
const MANY = 2_000;

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
  await cases.database.query(
    `INSERT INTO cases.saved_cases (
       id, user_id, receipt_number, nickname, tags, monitoring_frequency, last_known_status, form_type,
       status_changed_at, archived_at, created_at)
     SELECT gen_random_uuid(), owner, 'SRC' || (2190000000 + n), CASE WHEN n % 3 = 0 THEN 'Client ' || n END,
            CASE WHEN n % 10 = 0 THEN ARRAY['Family', 'u' || n % 7] WHEN n % 10 = 1 THEN ARRAY['family'] ELSE '{}' END,
            (ARRAY['none', 'daily', 'weekly', 'monthly'])[1 + n % 4],
            (ARRAY['Case Was Received', 'Interview Was Scheduled', 'Case Was Approved', NULL])[1 + n % 4],
            (ARRAY['I-130', 'I-485', 'N-400', NULL])[1 + n % 4],
            CASE WHEN n % 5 > 0 THEN timestamptz '2026-01-01' + n / 10 * interval '1 hour' END,
            CASE WHEN n % 100 = 99 THEN timestamptz '2026-02-01' END,
            timestamptz '2026-03-01' + n / 2 * interval '1 minute'
     FROM generate_series(0, $1::int - 1) AS n,
          (SELECT $2::uuid AS owner UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 10)) AS owners
     ORDER BY md5(n || owner::text)`,
    [MANY, PAT.userId],
  );
  await cases.database.query('ANALYZE cases.saved_cases');
});
afterAll(() => cases.stop());

const ask = (query: Record<string, string>, as = PAT) =>
  cases.call('GET', `${listSavedCasesPage.path}?${new URLSearchParams(query)}`, { as });
async function page(query: Record<string, string> = {}, as = PAT): Promise<SavedCasesPage> {
  const answer = await ask(query, as);
  expect(answer.status).toBe(200);
  return listSavedCasesPage.answer.parse(await answer.json());
}
async function all(query: Record<string, string>) {
  const found: SavedCasesPage['cases'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { cases: some, next } = await page({ limit: '100', ...query, ...(cursor ? { cursor } : {}) });
    found.push(...some);
    cursor = next;
  }
  return found;
}
const parse = (query: Record<string, unknown>) => savedCasesQuery.parse(query);

test('the first page is the newest, with totals and what there is to filter by', async () => {
  const first = await page();
  expect(first.cases).toHaveLength(50);
  expect(first.cases[0]?.receiptNumber).toBe('SRC2190001998');
  expect(first.summary).toMatchObject({ matching: 1_980, active: 1_980, archived: 20, needsAction: 500 });
  expect(first.summary?.forms).toEqual([
    { value: 'I-130', count: 500 },
    { value: 'I-485', count: 500 },
    { value: 'N-400', count: 500 },
  ]);
  expect(first.summary?.tags[0]).toEqual({ value: 'Family', count: 400 });
  const second = await page({ cursor: first.next ?? '' });
  expect(second.summary).toBeNull();
  expect(second.cases[0]?.receiptNumber).not.toBe(first.cases[49]?.receiptNumber);
});

test.each([
  ['İbrahim Öztürk', 'İbrahim'],
  ['İbrahim Öztürk', 'öztÜRK'],
  ['ΝΙΚΟΣ', 'ΝΙΚΟΣ'],
  ['Élodie', 'ÉLODIE'],
  ['García Márquez', 'garcia marquez'],
  ['Garcia', 'GARCÍA'],
  ['José', 'Jose\u0301'],
  ['Jose\u0301', 'JOSÉ'],
  ['Nguyễn Thị Đào', 'nguyen thi dao'],
  ['Łukasz Groß', 'lukasz gross'],
  ['Strasse', 'Straße'],
  ['Søren Ærø', 'soren aero'],
  ['ISIL', 'ısıl'],
  ['Νίκος', 'νικοσ'],
  ['Фёдор', 'ФЕДОР'],
  ['Muñoz', 'munoz'],
  ['ﬁnance', 'Finance'],
  ['García-López', 'garcia lopez'],
  ['García López', 'García–López'],
  ['O’Brien', "o'brien"],
  ['D`Souza', 'dsouza'],
  ['أحمد', 'احمد'],
  ['محمّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['Åse Lindström', 'ase lindstrom'],
  ['100 % _done', '% _D'],
])('the nickname and the tag %j are found by %j', async (name, search) => {
  const cam: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Cam' };
  await cases.save('SRC2190000001', cam, { nickname: name });
  await cases.save('SRC2190000003', cam, { tags: [name] });
  await cases.save('SRC2190000005', cam, { nickname: 'Another' });
  const found = await page({ search, sort: 'receipt', order: 'asc' }, cam);
  expect(found.cases.map(({ receiptNumber }) => receiptNumber)).toEqual(['SRC2190000001', 'SRC2190000003']);
});

test('spellings of one tag are one to count and to filter by, also those that were stored apart', async () => {
  const dan: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Dan' };
  const spellings = [
    'José  Ruiz',
    'José Ruiz'.normalize('NFD'),
    'JOSÉ RUIZ',
    ' José Ruiz',
    'Ｊｏｓé Ｒｕｉｚ',
  ];
  for (const [nth, tag] of spellings.entries()) {
    await cases.save(`SRC219000000${nth}`, dan);
    await cases.database.query(
      'UPDATE cases.saved_cases SET tags = ARRAY[$1] WHERE user_id = $2 AND receipt_number = $3',
      [tag, dan.userId, `SRC219000000${nth}`],
    );
  }
  expect((await page({}, dan)).summary?.tags.map(({ count }) => count)).toEqual([5]);
  for (const tag of spellings) expect((await page({ tag }, dan)).cases).toHaveLength(5);
});

test('spellings of one status are one to count and to filter by, under the most frequent', async () => {
  const dan: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Dan' };
  // Two together outnumber the most frequent.
  const spellings = [
    ...Array<string>(3).fill('CASE WAS RECEIVED'),
    ...Array<string>(2).fill('Case Was Received'),
    ...Array<string>(2).fill('Case was received'),
    'Case was received.',
  ];
  for (const [nth, status] of [...spellings, 'Case Was Denied'].entries()) {
    await cases.save(`SRC219000000${nth}`, dan);
    await cases.database.query(
      'UPDATE cases.saved_cases SET last_known_status = $1 WHERE user_id = $2 AND receipt_number = $3',
      [status, dan.userId, `SRC219000000${nth}`],
    );
  }
  expect((await page({}, dan)).summary?.statuses).toEqual([
    { value: 'Case Was Denied', count: 1 },
    { value: 'CASE WAS RECEIVED', count: 8 },
  ]);
  for (const status of [...spellings, 'case  was received']) {
    const found = await page({ status, needsAction: 'false' }, dan);
    expect(found.cases).toHaveLength(8);
    expect(found.summary?.matching).toBe(8);
  }
});

test('spellings of one status sort together, over the pages', async () => {
  const eve: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Eve' };
  const spellings = ['Case Was Received', 'CASE WAS RECEIVED', 'case was received', 'Case Was Received.'];
  for (const [nth, status] of [...spellings, 'Case Was Approved', 'Card Was Mailed'].entries()) {
    await cases.save(`SRC219000000${nth}`, eve);
    await cases.database.query(
      'UPDATE cases.saved_cases SET last_known_status = $1 WHERE user_id = $2 AND receipt_number = $3',
      [status, eve.userId, `SRC219000000${nth}`],
    );
  }
  const sorted: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const some = await page({ sort: 'status', order: 'desc', limit: '2', ...(cursor && { cursor }) }, eve);
    sorted.push(...some.cases.map(({ lastKnownStatus }) => lastKnownStatus ?? ''));
    cursor = some.next;
  }
  const places = sorted.flatMap((status, nth) => (spellings.includes(status) ? [nth] : []));
  expect(sorted).toHaveLength(6);
  expect(places.map((place) => place - (places[0] ?? 0))).toEqual([0, 1, 2, 3]);
});

test.each([
  ['en', ['Muñoz', 'Munoza', 'Nadal', 'Ñañez', 'Nube']],
  ['es', ['Munoza', 'Muñoz', 'Nadal', 'Nube', 'Ñañez']],
] as const)(
  'tags to filter by are in the order of the alphabet of the language %s',
  async (language, names) => {
    const kim: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Kim' };
    await cases.save('SRC2190000001', kim, { tags: names.toReversed() });
    const { summary } = await page({ language }, kim);
    expect(summary?.tags.map(({ value }) => value)).toEqual(names);
  },
);

test.each([
  ['en', ['Muñoz', 'Munoza', 'Nadal', 'Ñañez', 'Nube', 'Ochoa']],
  ['es', ['Munoza', 'Muñoz', 'Nadal', 'Nube', 'Ñañez', 'Ochoa']],
] as const)(
  'nicknames are in the order of the alphabet of the language %s, whatever page they are on',
  async (language, names) => {
    const eve: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Eve' };
    for (const [nth, nickname] of names.entries()) await cases.save(`SRC219000000${nth}`, eve, { nickname });
    const found: (string | null | undefined)[] = [];
    let cursor: string | null = null;
    do {
      const one: SavedCasesPage = await page(
        { sort: 'nickname', order: 'asc', language, limit: '2', ...(cursor === null ? {} : { cursor }) },
        eve,
      );
      found.push(...one.cases.map(({ nickname }) => nickname));
      cursor = one.next;
    } while (cursor !== null);
    expect(found).toEqual(names);
  },
);

test.each([
  ['Álvarez', 'Zapata'],
  ['zapata', 'Zúñiga'],
  ['Émile', 'Fabian'],
  ['A\u0301lvarez', 'Alvaro'],
  ['alvarez', 'Álvarez'],
  ['ángel', 'Beatriz'],
  ['Muñoz', 'Nadal'],
  ['Øystein', 'Paula'],
  ['Łukasz', 'Maria'],
  ['Zoë', 'Zora'],
])('%s is before %s in the order of nicknames, whatever page it is on', async (first, second) => {
  const dan: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Dan' };
  await cases.save('SRC2190000001', dan, { nickname: second });
  await cases.save('SRC2190000003', dan, { nickname: first });
  for (const order of ['asc', 'desc'] as const) {
    const one = await page({ sort: 'nickname', order, limit: '1' }, dan);
    const other = await page({ sort: 'nickname', order, limit: '1', cursor: one.next ?? '' }, dan);
    const names = [...one.cases, ...other.cases].map(({ nickname }) => nickname);
    expect(names).toEqual(order === 'asc' ? [first, second] : [second, first]);
  }
});

test.each(SAVED_CASE_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
  'by %s %s every case comes once, in order',
  async (sort, order) => {
    const found = await all({ sort, order });
    expect(new Set(found.map(({ id }) => id)).size).toBe(1_980);
    const keys = found.map((one) => {
      if (sort === 'created') return one.createdAt;
      if (sort === 'receipt') return one.receiptNumber;
      if (sort === 'nickname') return one.nickname ?? '';
      if (sort === 'status') return one.lastKnownStatus ?? '';
      if (sort === 'form') return one.formType ?? '';
      if (sort === 'monitoring') return one.monitoringFrequency;
      if (sort === 'date') return one.dates?.find(({ doneAt }) => doneAt === null)?.day ?? '~';
      return one.statusChangedAt ?? '';
    });
    const changes = keys.filter((key, index) => key !== keys[index - 1]);
    expect(new Set(changes).size, 'equal keys stand together').toBe(changes.length);
    if (sort === 'nickname' || sort === 'status') return;
    expect(keys).toEqual(order === 'asc' ? keys.toSorted() : keys.toSorted().reverse());
  },
);

test.each([
  [{ status: 'Case Was Approved' }, 500],
  [{ needsAction: 'true' }, 500],
  [{ needsAction: 'false' }, 1_480],
  [{ form: 'I-485' }, 500],
  [{ tag: 'FAMILY' }, 400],
  [{ monitoring: 'daily' }, 500],
  [{ monitoring: 'any' }, 1_480],
  [{ changedSince: '2026-01-09T00:00:00+01:00' }, 71],
  [{ search: 'src 2190-0019' }, 99],
  [{ search: 'ѕrс ２１９０–００１９' }, 99],
  [{ search: 'cLiEnT 12' }, 38],
  [{ search: '%' }, 0],
  [{ search: '_' }, 0],
  [{ search: '\\Client' }, 0],
  [{ search: 'u3' }, 29],
  [{ archived: 'true' }, 20],
  [{ needsAction: 'true', monitoring: 'daily', tag: 'family' }, 100],
])('%j finds the cases that fit', async (query, count) => {
  const { summary } = await page(query);
  expect(summary?.matching).toBe(count);
  const found = await all(query);
  expect(found).toHaveLength(count);
  const wanted = 'needsAction' in query ? String(query.needsAction) : undefined;
  if (wanted) expect(found.filter((one) => String(one.needsAction) !== wanted)).toEqual([]);
});

test.each([
  ['behind GMT', '2026-01-09T00:00:00-05:00', ['SRC2190000001', 'SRC2190000007']],
  ['in GMT', '2026-01-09T00:00:00Z', ['SRC2190000001', 'SRC2190000005', 'SRC2190000007']],
  ['ahead of GMT', '2026-01-09T00:00:00.000+03:00', ['SRC2190000001', 'SRC2190000005', 'SRC2190000007']],
])(
  'a reader %s finds what changed since a day by the day that the agency wrote, else by when it was first seen',
  async (_where, changedSince, expected) => {
    const dee: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Dee' };
    for (const [receiptNumber, changedAt, date] of [
      ['SRC2190000001', '2026-01-09T00:00:00Z', '2026-01-09'],
      ['SRC2190000003', '2026-01-08T23:30:00Z', '01-08-2026 23:30:00'],
      ['SRC2190000005', '2026-01-09T03:00:00Z', null],
      ['SRC2190000007', '2026-01-09T06:00:00Z', null],
    ] as const) {
      await cases.save(receiptNumber, dee);
      await cases.database.query(
        'UPDATE cases.saved_cases SET status_changed_at = $3, status_date = $4 WHERE user_id = $1 AND receipt_number = $2',
        [dee.userId, receiptNumber, changedAt, date],
      );
    }
    await cases.save('SRC2190000009', dee);
    const found = await page({ changedSince, sort: 'receipt', order: 'asc' }, dee);
    expect(found.cases.map(({ receiptNumber }) => receiptNumber)).toEqual(expected);
  },
);

test.each(['0000-01-01T00:00:00Z', '2026-01-09T00:00:00+23:00', '2026-01-09T00:00:00-23:00'])(
  'what changed since %s, a time that PostgreSQL does not read, is found',
  async (changedSince) => {
    const dee: Person = { userId: crypto.randomUUID(), tier: 'pro', name: 'Dee' };
    for (const receiptNumber of ['SRC2190000001', 'SRC2190000003']) await cases.save(receiptNumber, dee);
    await cases.database.query(
      `UPDATE cases.saved_cases SET status_changed_at = '2026-01-09T23:30:00Z',
         status_date = CASE receipt_number WHEN 'SRC2190000003' THEN '2026-01-09' END WHERE user_id = $1`,
      [dee.userId],
    );
    expect((await page({ changedSince }, dee)).cases).toHaveLength(2);
  },
);

test('a user without saved cases gets an empty page', async () => {
  expect(await page({}, ADA)).toEqual({
    cases: [],
    next: null,
    summary: { matching: 0, active: 0, archived: 0, needsAction: 0, statuses: [], forms: [], tags: [] },
  });
});

test.each([
  { sort: 'age' },
  { limit: '0' },
  { limit: '501' },
  { needsAction: 'perhaps' },
  { changedSince: 'yesterday' },
  { search: 'x'.repeat(101) },
  { cursor: 'nonsense' },
  { cursor: Buffer.from('["receipt","desc","x","not an id"]').toString('base64url') },
  ...['now()', '2026-13-01 00:00:00+00', '2026-01-01 00:00:00+99'].map((key) => ({
    cursor: Buffer.from(JSON.stringify(['created', 'desc', key, PAT.userId])).toString('base64url'),
  })),
  {
    cursor: Buffer.from(JSON.stringify(['status', 'desc', 'a\0', PAT.userId])).toString('base64url'),
    sort: 'status',
  },
])('%j is refused', async (query) => {
  expect(await errorOf(await ask(query))).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('a cursor continues in its own order only', async () => {
  const { next } = await page({ sort: 'receipt' });
  expect((await ask({ sort: 'status', cursor: next ?? '' })).status).toBe(400);
  expect((await ask({ sort: 'receipt', order: 'asc', cursor: next ?? '' })).status).toBe(400);
  expect((await ask({ sort: 'receipt', cursor: next ?? '' })).status).toBe(200);
  const names = await page({ sort: 'nickname', language: 'es' });
  expect((await ask({ sort: 'nickname', cursor: names.next ?? '' })).status).toBe(400);
});

const INDEX_OF = {
  created: 'saved_cases_user_created',
  receipt: 'saved_cases_user_receipt',
  nickname: 'saved_cases_user_nickname',
  status: 'saved_cases_user_status',
  form: 'saved_cases_user_form',
  changed: 'saved_cases_user_changed',
  monitoring: 'saved_cases_user_monitoring',
  date: 'saved_cases_user_date',
} as const;

async function planOf({ text, values }: { text: string; values: unknown[] }): Promise<string> {
  const sql = text.replaceAll(/\b(saved_cases|case_snapshots)\b/g, 'cases.$1');
  return JSON.stringify(await cases.database.query(`EXPLAIN ${sql}`, values));
}

test.each([
  ...SAVED_CASE_SORTS.map((sort) => [sort, 'en', INDEX_OF[sort]] as const),
  ['nickname', 'es', 'saved_cases_user_nickname_es'] as const,
])('a page by %s (%s) is read from its index, without a sort', async (sort, language, index) => {
  const { next } = await page({ sort, language });
  for (const cursor of [undefined, next ?? '']) {
    const plan = await planOf(pageStatement(PAT.userId, parse({ sort, language, cursor }), []));
    expect(plan).toContain(`${index} on `);
    expect(plan).not.toMatch(/"[^"]*\bSort\b|Seq Scan/);
  }
});

test('whole lists of one user or many read no cases of other users', async () => {
  const other = await cases.database.query<{ id: string }>(
    'SELECT DISTINCT user_id AS id FROM cases.saved_cases LIMIT 3',
  );
  for (const ids of [[PAT.userId], other.map(({ id }) => id)]) {
    const plan = await planOf({ text: LIST.text, values: [ids] });
    expect(plan).toMatch(/Index Cond: \(user_id = owner/);
    expect(plan).not.toContain('Seq Scan');
  }
});

test('lists that are requested at once are read together, and each user gets their own', async () => {
  await cases.save('EAC9999103403', ADA);
  await cases.save('EAC9999103404', BOB);
  const listOf = async (as: Person) => (await cases.saved(as)).map(({ userId }) => userId);
  const lists = await Promise.all(
    Array.from({ length: 30 }, (_, nth) => listOf([ADA, BOB, PAT][nth % 3] ?? ADA)),
  );
  lists.forEach((owners, nth) => {
    const person = [ADA, BOB, PAT][nth % 3] ?? ADA;
    expect(owners).toEqual(Array.from({ length: person === PAT ? MANY : 1 }, () => person.userId));
  });
  for (const [receiptNumber, person] of [
    ['EAC9999103403', ADA],
    ['EAC9999103404', BOB],
  ] as const) {
    const [before, removed] = await Promise.all([listOf(person), cases.remove(receiptNumber, person)]);
    expect(before.length).toBeLessThanOrEqual(1);
    expect(removed.status).toBe(204);
    expect(await listOf(person), 'a list that is requested after the answer').toEqual([]);
  }
});

function openPool(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: cases.database.urlFor('cases'),
    options: '-c search_path=cases',
  });
  // `end` resolves before the connection is closed, and the database may be dropped by then.
  pool.on('error', () => undefined);
  return pool;
}

test('lists of more users than one statement reads are all answered, and a read that fails fails for each', async () => {
  const pool = openPool();
  const readList = createListReader(pool);
  const users = Array.from({ length: 70 }, () => crypto.randomUUID());
  try {
    expect((await Promise.all([...users, PAT.userId].map(readList))).map((list) => list.length)).toEqual([
      ...users.map(() => 0),
      MANY,
    ]);
  } finally {
    await pool.end();
  }
  const failed = await Promise.allSettled(users.map(readList));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('lists that are requested in one turn cost one statement', async () => {
  const pool = openPool();
  try {
    let statements = 0;
    pool.on('acquire', () => {
      statements += 1;
    });
    const readList = createListReader(pool);
    const [first = [], ...others] = await Promise.all(Array.from({ length: 20 }, () => readList(PAT.userId)));
    expect(first).toHaveLength(MANY);
    expect(others.every((list) => list.length === MANY)).toBe(true);
    expect(statements).toBe(1);
  } finally {
    await pool.end();
  }
});

test.each([
  { status: 'Case Was Approved' },
  { needsAction: 'true' },
  { form: 'I-485' },
  { tag: 'family' },
  { monitoring: 'daily' },
  { changedSince: '2026-01-09T00:00:00Z' },
  { search: 'client 12' },
  { archived: 'true' },
])('the filter %j reads no cases of other users', async (query) => {
  const parsed = parse(query);
  for (const statement of [pageStatement, summaryStatement]) {
    const plan = await planOf(statement(PAT.userId, parsed, ['Interview Was Scheduled']));
    expect(plan).toMatch(/Index Cond: \(?\(?user_id = /);
    expect(plan).not.toContain('Seq Scan');
  }
});
