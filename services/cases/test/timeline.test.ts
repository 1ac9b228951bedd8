import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { caseObserved } from '@casewatch/contracts/events';
import type { ExportedCase } from '@casewatch/contracts/exports';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const DAY_MS = 86_400_000;

/** What the agency says of every case except its number, as a test changes it. */
let sent: Record<string, unknown> = {};
let server: Server;
let cases: CasesFixture;
let nth = 0;
let number = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = path.startsWith('/oauth')
      ? { access_token: 't', expires_in: '1799' }
      : { case_status: { receiptNumber: path.split('/').at(-1), ...sent } };
    response
      .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  cases = await startCases({ agencyUrl: `http://127.0.0.1:${port}` });
});
beforeEach(() => {
  number = `EAC${String(++nth).padStart(10, '0')}`;
});
afterAll(async () => {
  await cases.stop();
  server.close();
});

const RECEIVED = { date: '2025-11-01', completed_text_en: 'Case Was Received' };
const ASKED = { date: '2025-12-01', completed_text_en: 'Request for Additional Evidence Was Sent' };
const sends = (history: unknown, facts: Record<string, unknown> = {}) => {
  sent = { current_case_status_text_en: 'Case Was Approved', hist_case_status: history, ...facts };
};

/** What a lookup finds a day later. */
async function foundNextDay() {
  await cases.clock.advance(DAY_MS);
  return cases.found(number, PAT);
}
const agencyEntries = async () =>
  (await foundNextDay()).histCaseData.filter(({ source }) => source === 'agency');
const titlesOf = (entries: { caseStatus: string; statusHistDate: string | null }[]) =>
  entries.map(({ caseStatus, statusHistDate }) => `${caseStatus} ${statusHistDate}`);

test.each([
  ['is {}', {}],
  ['is a text', 'Case Was Received'],
  ['is null', null],
  ['has an entry without a title', [{ date: '2025-11-01' }, RECEIVED]],
  ['has a number as date', [{ ...RECEIVED, date: 20251101 }]],
  ['has a long date', [{ ...RECEIVED, date: '2'.repeat(40) }]],
  ['has nested objects', [{ ...RECEIVED, date: { date: [{}] } }, [[]]]],
  ['has control characters', [{ date: '\u0000', completed_text_en: '\u0000\u0007' }]],
  ['has a title of 100,000 characters', [{ ...RECEIVED, completed_text_en: 'x'.repeat(100_000) }]],
  ['has thousands of entries', Array(5_000).fill({ ...RECEIVED, completed_text_es: 'El caso fue recibido' })],
])('a history that %s does not hide the current status, for users and checks', async (_name, history) => {
  sends(history);
  const found = await cases.found(number, PAT);
  expect(found).toMatchObject({ caseStatus: 'Case Was Approved' });
  expect(found.stale).toBeUndefined();
  await cases.clock.advance(DAY_MS);
  sends(history, { current_case_status_text_en: 'Case Was Denied' });
  expect(await cases.check([number])).toMatchObject([{ outcome: 'observed' }]);
  expect(await cases.found(number, PAT)).toMatchObject({ caseStatus: 'Case Was Denied' });
});

test('an entry that the agency withdraws stays and is marked, in every answer and export; one that comes back is not', async () => {
  await cases.save(number, PAT);
  sends([ASKED, RECEIVED]);
  expect(await agencyEntries()).toMatchObject([
    { caseStatus: ASKED.completed_text_en },
    { caseStatus: 'Case Was Received' },
  ]);
  sends([RECEIVED]);
  const withdrawn = await foundNextDay();
  const withdrawnAt = withdrawn.observedAt;
  const listed = withdrawn.histCaseData.filter(({ source }) => source === 'agency');
  expect(titlesOf(listed)).toEqual([`${ASKED.completed_text_en} 2025-12-01`, 'Case Was Received 2025-11-01']);
  expect(listed.map((entry) => entry.withdrawnAt)).toEqual([withdrawnAt, undefined]);
  sends([RECEIVED], { current_case_status_text_es: 'Aprobado' });
  expect((await agencyEntries()).map((entry) => entry.withdrawnAt)).toEqual([withdrawnAt, undefined]);
  const body = { receiptNumbers: [number] };
  const lines = await cases.call('POST', '/api/saved-cases/export.ndjson', { as: PAT, body });
  const { history } = JSON.parse(await lines.text()) as ExportedCase;
  expect(history.map((entry) => entry.withdrawnAt)).toEqual([undefined, withdrawnAt, undefined]);
  const csv = await cases.call('POST', '/api/saved-cases/export.csv', {
    as: PAT,
    body: { ...body, content: 'history' },
  });
  expect(await csv.text()).toContain(
    `"${ASKED.completed_text_en}","2025-12-01","agency","","${withdrawnAt}"\r\n`,
  );
  sends([ASKED, RECEIVED]);
  expect((await agencyEntries()).map((entry) => entry.withdrawnAt)).toEqual([undefined, undefined]);
});

test('null says that the agency lists nothing, and what cannot be read says nothing', async () => {
  const isWithdrawn = async () => (await agencyEntries()).map(({ withdrawnAt }) => withdrawnAt !== undefined);
  sends([RECEIVED]);
  expect(await isWithdrawn()).toEqual([false]);
  for (const unreadable of [{}, 'x', undefined, [{}]]) {
    sends(unreadable);
    expect(await isWithdrawn()).toEqual([false]);
  }
  sends(null);
  expect(await isWithdrawn()).toEqual([true]);
  sends({});
  expect(await isWithdrawn()).toEqual([true]);
  sends([RECEIVED]);
  expect(await isWithdrawn()).toEqual([false]);
});

test('whatever the agency changes of its entries, and whichever user asks, none is doubled', async () => {
  const other = { date: '2025-11-01', completed_text_en: 'Fees Were Waived' };
  const histories = [
    [RECEIVED],
    [RECEIVED, other],
    [other, RECEIVED],
    [{ ...other, date: '2025-11-03' }, RECEIVED],
    [
      { ...other, date: '2025-11-03' },
      { ...RECEIVED, date: '11-01-2025 14:28:46' },
    ],
    [
      { ...other, date: '2025-11-03' },
      { ...RECEIVED, completed_text_en: ' CASE WAS RECEIVED. ' },
    ],
  ];
  sends(histories[0]);
  await cases.found(number, PAT);
  for (const [step, history] of histories.entries()) {
    sends(history);
    await cases.clock.advance(DAY_MS);
    if (step % 2 === 0) await cases.check([number]);
    else await cases.found(number, PAT);
    const rows = await cases.database.query(
      'SELECT entry FROM cases.observations WHERE receipt_number = $1 ORDER BY entry',
      [number],
    );
    expect(rows.map(({ entry }) => entry)).toEqual(step === 0 ? [1, 2] : [1, 2, 3]);
  }
  expect(titlesOf(await agencyEntries())).toEqual([
    'Fees Were Waived 2025-11-03',
    'CASE WAS RECEIVED. 2025-11-01',
  ]);
});

test('two first answers at once leave every entry once', async () => {
  sends([ASKED, RECEIVED]);
  const other = await startCases({ database: cases.database, agencyUrl: agencyUrl() });
  await other.clock.advance(cases.clock.nowMs() - other.clock.nowMs());
  await Promise.all([cases.found(number, PAT), other.found(number, PAT), other.check([number])]);
  expect((await cases.found(number, PAT)).histCaseData).toHaveLength(3);
  await other.stop();
});

test('a title that is written in another way updates the shown text, and is no change of the status', async () => {
  await cases.save(number, PAT);
  sends(null, { modifiedDate: '11-01-2025 10:00:00' });
  const first = await cases.found(number, PAT);
  const savedCase = async () =>
    (await cases.saved(PAT)).find(({ receiptNumber }) => receiptNumber === number);
  const before = await savedCase();
  await cases.forgetPublished();
  const other = 'CASE  WAS APPROVED.';
  sends(null, { current_case_status_text_en: other, modifiedDate: '12-01-2025 10:00:00' });
  const shown = 'CASE WAS APPROVED.';
  await cases.clock.advance(DAY_MS);
  await cases.check([number]);
  expect(await cases.eventsOf(caseObserved)).toMatchObject([{ outcome: 'observed', status: shown }]);
  const found = await cases.found(number, PAT);
  expect(found).toMatchObject({ caseStatus: shown, caseSubstatus: first.caseSubstatus });
  expect(found.histCaseData).toEqual([{ ...first.histCaseData[0], caseStatus: shown }]);
  expect(await savedCase()).toMatchObject({
    lastKnownStatus: shown,
    statusChangedAt: before?.statusChangedAt,
    statusDate: before?.statusDate,
  });
  expect(before?.statusDate).toBe('2025-11-01');
});

function agencyUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
