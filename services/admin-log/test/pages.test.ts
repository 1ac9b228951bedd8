import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminLogFixture, newUserId, startAdminLog } from './admin-log-fixture.ts';
import { lookupAt } from './lookup-at.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAT = newUserId();

interface Made {
  id: string;
  atMs: number;
  source: 'user' | 'monitor';
  statusCode: number;
  receiptNumber: string;
}

let log: AdminLogFixture;
/** Newest first. */
let made: Made[];

/** Calls of ten weeks: several in one millisecond, hours with many, days with none, edges of hours and months. */
beforeAll(async () => {
  log = await startAdminLog();
  const now = log.clock.nowMs();
  const times = [
    ...Array.from({ length: 60 }, (_, n) => now - n * 1_000),
    ...Array.from({ length: 60 }, (_, n) => now - n * 7 * HOUR_MS - 13),
    ...Array.from({ length: 40 }, (_, n) => now - n * 36 * HOUR_MS),
    ...Array.from({ length: 5 }, () => Date.parse('2025-12-01T00:00:00.000Z')),
    Date.parse('2025-11-30T23:59:59.999Z'),
    Date.parse('2026-01-05T11:00:00.000Z'),
  ];
  made = times.map((atMs, n) => ({
    id: lookupAt(0).id,
    atMs,
    source: n % 3 === 0 ? 'user' : 'monitor',
    statusCode: n % 7 === 0 ? 404 : 200,
    receiptNumber: `EAC${String(n % 4).padStart(10, '0')}`,
  }));
  await Promise.all(
    made.map(({ id, atMs, source, statusCode, receiptNumber }) =>
      log.lookedUp({
        id,
        endedAt: new Date(atMs).toISOString(),
        source,
        statusCode,
        receiptNumber,
        ...(source === 'user' ? { userId: PAT, userFirstName: 'Pat' } : {}),
      }),
    ),
  );
  made.sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
});
afterAll(() => log.stop());

const iso = (ms: number) => new Date(ms).toISOString();
const NOW = Date.parse('2026-01-05T12:00:00Z');

const FILTERS: [string, (call: Made) => boolean][] = [
  ['', () => true],
  ['source=user', ({ source }) => source === 'user'],
  ['source=monitor', ({ source }) => source === 'monitor'],
  ['success=false', ({ statusCode }) => statusCode !== 200],
  ['success=true', ({ statusCode }) => statusCode === 200],
  ['statusCode=404', ({ statusCode }) => statusCode === 404],
  ['statusCode=500', () => false],
  ['receiptNumber=EAC0000000001', ({ receiptNumber }) => receiptNumber === 'EAC0000000001'],
  [`user=${PAT}`, ({ source }) => source === 'user'],
  ['user=pA', ({ source }) => source === 'user'],
  [`from=${iso(NOW - 20 * DAY_MS - 7)}`, ({ atMs }) => atMs >= NOW - 20 * DAY_MS - 7],
  [`to=${iso(NOW - HOUR_MS - 5)}`, ({ atMs }) => atMs < NOW - HOUR_MS - 5],
  [
    `from=${iso(NOW - 30_000)}&to=${iso(NOW - 10_000)}`,
    ({ atMs }) => atMs >= NOW - 30_000 && atMs < NOW - 10_000,
  ],
  [
    `from=2025-12-01T00:00:00Z&to=2026-01-05T11:00:00Z`,
    ({ atMs }) => atMs >= Date.parse('2025-12-01T00:00:00Z') && atMs < Date.parse('2026-01-05T11:00:00Z'),
  ],
  [
    `from=2025-12-01T00:00:00.001Z&to=2026-01-05T11:00:00.001Z&success=false&source=user`,
    ({ atMs, statusCode, source }) =>
      atMs > Date.parse('2025-12-01T00:00:00Z') &&
      atMs <= Date.parse('2026-01-05T11:00:00Z') &&
      statusCode !== 200 &&
      source === 'user',
  ],
  [
    `receiptNumber=EAC0000000002&user=${PAT}&success=false`,
    ({ receiptNumber, source, statusCode }) =>
      receiptNumber === 'EAC0000000002' && source === 'user' && statusCode !== 200,
  ],
  [`from=${iso(NOW)}&to=${iso(NOW - DAY_MS)}`, () => false],
];

test.each(FILTERS)(
  'by offset every page of "%s" is what it should be, with the right total',
  async (query, fits) => {
    const expected = made.filter(fits).map(({ id }) => id);
    for (let offset = 0; offset <= expected.length + 7; offset += 7) {
      const { logs, totalCount, totalIsExact } = await log.logs(`?limit=7&offset=${offset}&${query}`);
      expect(logs.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 7));
      expect([totalCount, totalIsExact]).toEqual([expected.length, true]);
    }
  },
);

test.each(FILTERS)('the cursors lead through all of "%s" and back', async (query, fits) => {
  const expected = made.filter(fits).map(({ id }) => id);
  const there: string[] = [];
  let page = await log.logs(`?limit=9&${query}`);
  there.push(...page.logs.map(({ id }) => id));
  while (page.older) {
    page = await log.logs(`?limit=9&older=${page.older}&${query}`);
    there.push(...page.logs.map(({ id }) => id));
  }
  expect(there).toEqual(expected);
  const back = page.logs.map(({ id }) => id);
  while (page.newer) {
    page = await log.logs(`?limit=9&newer=${page.newer}&${query}`);
    if (page.logs.length === 0) break;
    back.unshift(...page.logs.map(({ id }) => id));
  }
  expect(back).toEqual(expected);
});

test('a page holds 50 unless asked otherwise', async () => {
  expect((await log.logs()).logs).toHaveLength(50);
  expect((await log.logs('?limit=200')).logs).toHaveLength(made.length);
});
