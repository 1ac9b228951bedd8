import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import type { ExportedCase } from '@casewatch/contracts/exports';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createCaseExports } from '../src/data/case-exports.ts';
import { type CaseExportStore, exportCsv, exportNdjson } from '../src/domain/export-cases.ts';
import { ADA, errorOf, PAT, startCases } from './cases-fixture.ts';

const cases = await forThisFile(startCases());

const CSV = '/api/saved-cases/export.csv';
const NDJSON = '/api/saved-cases/export.ndjson';
const proUser = (): Person => ({ userId: randomUUID(), tier: 'pro', name: 'Pro' });
const exported = (path: string, as: Person, body: unknown = {}) => cases.call('POST', path, { as, body });
/** With the byte order mark, which `text()` drops. */
const rowsOf = async (answer: Response) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()).split('\r\n');
const linesOf = async (answer: Response) =>
  (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedCase);

/** Saves cases by SQL, newest last, each with the given number of history entries. */
async function fill({ userId }: Person, count: number, history: number): Promise<void> {
  await cases.database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, created_at)
     SELECT gen_random_uuid(), $1, 'QZX' || lpad(n::text, 10, '0'), timestamptz '2026-01-01' + n * interval '1 s'
     FROM generate_series(1, $2::int) AS n`,
    [userId, count],
  );
  await cases.database.query(
    `INSERT INTO cases.observations (receipt_number, entry, status, status_at, source, first_observed_at, last_observed_at)
     SELECT 'QZX' || lpad(n::text, 10, '0'), h, 'Status ' || h, timestamptz '2025-01-01' + h * interval '1 day', 'observed',
            timestamptz '2025-01-01' + h * interval '1 day', timestamptz '2025-01-01' + h * interval '1 day'
     FROM generate_series(1, $1::int) AS n, generate_series(1, $2::int) AS h ON CONFLICT DO NOTHING`,
    [count, history],
  );
}

test('saved cases are exported as CSV with all that is kept of them, newest first, safe for spreadsheets', async () => {
  const pat = proUser();
  const savedAt = new Date(cases.clock.nowMs()).toISOString();
  await cases.save('EAC9999103403', pat, {
    nickname: '=1+1, "Mum"',
    monitoringFrequency: 'weekly',
    tags: ['@office', 'family'],
  });
  await cases.clock.advance(1_000);
  const { caseStatus, formType, observedAt } = await cases.found('LIN9999106498', pat);
  await cases.save('LIN9999106498', pat);
  await cases.change('EAC9999103403', { archived: true }, pat);
  const archivedAt = new Date(cases.clock.nowMs()).toISOString();
  const [saved] = await cases.saved(pat);

  const answer = await exported(CSV, pat);
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="saved-cases.csv"');
  expect(answer.headers.get('x-total-count')).toBe('2');
  const [head, ...rows] = await rowsOf(answer);
  expect(head).toBe(
    '\uFEFF"Receipt Number","Nickname","Tags","Form","Last Status","Status Since (UTC)","Monitoring",' +
      '"Last Checked (UTC)","Saved (UTC)","Archived (UTC)","Dates"',
  );
  expect(rows).toEqual([
    `"LIN9999106498","","","${formType}","${caseStatus}","${saved?.statusDate}","none","${observedAt}","${observedAt}","",""`,
    `"EAC9999103403","'=1+1, ""Mum""","'@office, family","","","","weekly","","${savedAt}","${archivedAt}",""`,
    '',
  ]);
  expect(await rowsOf(await cases.call('GET', '/api/saved-cases.csv', { as: pat }))).toEqual([head, ...rows]);
});

test('times are written in the zone of the user, which the headings name', async () => {
  const pat = proUser();
  await fill(pat, 1, 0);
  const [head, row] = await rowsOf(await exported(CSV, pat, { timeZone: 'America/New_York' }));
  expect(head).toContain('"Saved (America/New_York)"');
  expect(row).toContain('"2025-12-31T19:00:01.000-05:00"');
});

test('a status is since the day that the agency wrote, in every zone', async () => {
  const pat = proUser();
  await cases.save('LIN9999106499', pat);
  const { caseLastUpdated } = await cases.found('LIN9999106499', pat);
  const [, month, day, year] = /^(..)-(..)-(....) /.exec(caseLastUpdated ?? '') ?? expect.fail('no date');
  for (const timeZone of ['UTC', 'Pacific/Honolulu', 'Pacific/Kiritimati']) {
    const [, row] = await rowsOf(await exported(CSV, pat, { timeZone }));
    expect(row).toContain(`,"${year}-${month}-${day}","none",`);
  }
});

test('the history is exported as the case shows it, as CSV and as JSON lines', async () => {
  const pat = proUser();
  await cases.save('SRC9999102777', pat, { nickname: 'Mum', tags: ['family'] });
  const { histCaseData } = await cases.found('SRC9999102777', pat);
  expect(histCaseData.length).toBeGreaterThan(1);
  const file = await exported(CSV, pat, { content: 'history' });
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="case-history.csv"');
  expect(file.headers.get('x-total-count')).toBe(String(histCaseData.length));
  const [head, ...rows] = await rowsOf(file);
  expect(head).toContain(
    '"Receipt Number","Nickname","Status","Date (agency)","Source","First Seen (UTC)","Withdrawn (UTC)"',
  );
  expect(rows.slice(0, -1)).toEqual(
    histCaseData.map(
      (one) =>
        `"SRC9999102777","Mum","${one.caseStatus}","${one.statusHistDate ?? ''}","${one.source}","${one.firstObservedAt ?? ''}",""`,
    ),
  );
  const answer = await exported(NDJSON, pat);
  expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="saved-cases.ndjson"');
  const [saved] = await cases.saved(pat);
  const {
    id: _id,
    userId: _userId,
    statusEs: _statusEs,
    needsAction: _needsAction,
    ...kept
  } = saved ?? expect.fail('nothing is saved');
  const history = histCaseData.map(({ textEs: _textEs, ...entry }) => entry);
  expect(await linesOf(answer)).toEqual([{ ...kept, history }]);
});

test('a selection holds the named cases of the user alone', async () => {
  const [pat, other] = [proUser(), proUser()];
  await fill(pat, 5, 2);
  await fill(other, 1, 0);
  const receiptNumbers = ['qzx0000000002', 'QZX0000000004', 'QZX0000009999'];
  const answer = await exported(NDJSON, pat, { receiptNumbers });
  expect(answer.headers.get('x-total-count')).toBe('2');
  expect((await linesOf(answer)).map(({ receiptNumber }) => receiptNumber)).toEqual([
    'QZX0000000004',
    'QZX0000000002',
  ]);
  expect(await (await exported(NDJSON, other, { receiptNumbers })).text()).toBe('');
});

test.each([CSV, NDJSON])('%s is for pro users', async (path) => {
  expect(await errorOf(await exported(path, ADA))).toMatchObject({ status: 403, code: 'PRO_REQUIRED' });
  expect(await errorOf(await cases.call('GET', '/api/saved-cases.csv', { as: ADA }))).toMatchObject({
    status: 403,
    code: 'PRO_REQUIRED',
  });
});

test.each([{ content: 'all' }, { receiptNumbers: [] }, { receiptNumbers: ['x'] }, { timeZone: 5 }])(
  '%j is refused as JSON',
  async (body) => {
    expect(await errorOf(await exported(CSV, PAT, body))).toMatchObject({ status: 400, code: 'VALIDATION' });
  },
);

test('cases that are removed during an export are left out, and every other one is there once', async () => {
  const pat = proUser();
  await fill(pat, 200, 3);
  const pieces = exportNdjson(createCaseExports(cases.database.openPool('cases', 1)), pat);
  const first = (await pieces.next()).value ?? '';
  // One that is out already, the one the next page starts after, and one that is still to come.
  for (const number of [200, 191, 100]) await cases.remove(`QZX${String(number).padStart(10, '0')}`, pat);
  let rest = '';
  for await (const piece of pieces) rest += piece;
  const numbers = (first + rest)
    .trimEnd()
    .split('\n')
    .map((line) => Number((JSON.parse(line) as ExportedCase).receiptNumber.slice(3)));
  const expected = Array.from({ length: 200 }, (_, at) => 200 - at).filter((number) => number !== 100);
  expect(numbers).toEqual(expected);
});

test('an export reads nothing, and holds no connection, for a client that stops reading', async () => {
  const pat = proUser();
  await fill(pat, 400, 50);
  const pool = cases.database.openPool('cases', 1);
  let reads = 0;
  const real = createCaseExports(pool);
  const counting: CaseExportStore = {
    ...real,
    pageForExport: (...asked) => {
      reads++;
      return real.pageForExport(...asked);
    },
  };
  const reader = stalledReader();
  const pieces = exportCsv(counting, pat, { content: 'history', timeZone: 'UTC' });
  const sending = sendPieces(pieces, reader.out, pino({ level: 'silent' }));
  for (let taken = 1; taken <= 3; taken++) {
    await expect.poll(reader.isWaiting).toBe(true);
    // The only connection of the pool is free.
    await pool.query('SELECT 1');
    expect(reads).toBeLessThanOrEqual(taken + 2);
    reader.takeOne();
  }
  await expect.poll(reader.isWaiting).toBe(true);
  reader.out.destroy();
  await sending;
  expect(reads).toBeLessThan(8);
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});

/** Takes a piece only when asked to. */
function stalledReader() {
  const waiting: (() => void)[] = [];
  const out = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => void waiting.push(done) });
  out.on('error', () => undefined);
  return { out, isWaiting: () => waiting.length > 0, takeOne: () => waiting.shift()?.() };
}
