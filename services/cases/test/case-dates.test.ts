import { randomUUID } from 'node:crypto';
import type { SavedCase } from '@casewatch/contracts/cases';
import { userDeleted } from '@casewatch/contracts/events';
import { CASE_DATES_MAX } from '@casewatch/contracts/limits';
import { listOpenDates, OPEN_DATES_PAGE } from '@casewatch/contracts/saved-case-dates';
import { importSavedCases, type SavedCasesPage } from '@casewatch/contracts/workspace';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { beforeEach, expect, test } from 'vitest';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, ONE, outcomes, THREE, TWO, workspaceCalls } from './workspace-fixture.ts';

const cases = await forThisFile(startCases());
beforeEach(() => emptyLists(cases));

const { bulk, importCases } = workspaceCalls(() => cases);
const RESPOND = { kind: 'respond-by', day: '2026-12-24', label: 'RFE' };

const at = (receiptNumber: string, id: string) => `/api/saved-cases/${receiptNumber}/dates/${id}`;
const ask = (receiptNumber: string, body: unknown, { id = randomUUID() as string, as = PAT } = {}) =>
  cases.call('PUT', at(receiptNumber, id), { as, body });
async function put(receiptNumber: string, body: unknown, options?: { id?: string; as?: Person }) {
  const answer = await ask(receiptNumber, body, options);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SavedCase;
}
const drop = (receiptNumber: string, id: string, as = PAT) =>
  cases.call('DELETE', at(receiptNumber, id), { as });
async function datesOf(receiptNumber: string, as = PAT) {
  return (await cases.saved(as)).find((one) => one.receiptNumber === receiptNumber)?.dates;
}
async function open(body: Record<string, unknown> = {}) {
  const asked = { from: '2026-01-01', until: '2027-01-01', ...body };
  return listOpenDates.answer.parse(
    await (await cases.call('POST', listOpenDates.path, { body: asked })).json(),
  );
}

test('a date is added, changed, done, open again and removed, each once however often it is sent', async () => {
  await cases.save(ONE, ADA);
  const id = randomUUID();
  const entered = new Date(cases.clock.nowMs()).toISOString();
  const added = { id, ...RESPOND, doneAt: null, setAt: entered };
  expect((await put(ONE, RESPOND, { id, as: ADA })).dates).toEqual([added]);
  await cases.clock.advance(1_000);
  expect((await put(ONE, RESPOND, { id, as: ADA })).dates).toEqual([added]);
  const doneAt = new Date(cases.clock.nowMs()).toISOString();
  await put(ONE, { ...RESPOND, done: true }, { id, as: ADA });
  await cases.clock.advance(1_000);
  const renamed = { ...RESPOND, label: ' By mail ', done: true };
  expect((await put(ONE, renamed, { id, as: ADA })).dates).toEqual([{ ...added, label: 'By mail', doneAt }]);
  const again = new Date(cases.clock.nowMs()).toISOString();
  expect((await put(ONE, { kind: 'own', day: '2026-12-25' }, { id, as: ADA })).dates).toEqual([
    { id, kind: 'own', day: '2026-12-25', label: null, doneAt: null, setAt: again },
  ]);
  await cases.forgetPublished();
  for (let nth = 0; nth < 2; nth += 1) {
    const answer = await drop(ONE, id, ADA);
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toHaveProperty('dates');
  }
  expect(await cases.published()).toHaveLength(1);
});

test.each([
  '2026-02-31',
  '2026-13-01',
  '1899-12-31',
  '2200-01-01',
  '20261-01-01',
  '2026-1-1',
  '12/24/2026',
  '',
])('the day %j is refused with what to do', async (day) => {
  await cases.save(ONE, PAT);
  expect(await errorOf(await ask(ONE, { ...RESPOND, day }))).toMatchObject({
    status: 400,
    code: 'VALIDATION',
    error: 'Enter a date that exists, from 1900 to 2199.',
  });
  expect(await datesOf(ONE)).toBeUndefined();
});

test('February 29 is a day of leap years alone, and a day that has passed is accepted', async () => {
  await cases.save(ONE, PAT);
  expect((await ask(ONE, { ...RESPOND, day: '2027-02-29' })).status).toBe(400);
  expect((await put(ONE, { ...RESPOND, day: '2024-02-29', done: true })).dates).toHaveLength(1);
});

test.each([
  { ...RESPOND, kind: 'birthday' },
  { ...RESPOND, label: 'x'.repeat(101) },
  { ...RESPOND, label: 'a\u0000' },
  { ...RESPOND, setAt: '2026-01-01T00:00:00Z' },
  { day: '2026-12-24' },
])('%j is refused', async (body) => {
  await cases.save(ONE, PAT);
  expect(await errorOf(await ask(ONE, body))).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('one date more than a case can have is refused, also when many come at once', async () => {
  await cases.save(ONE, PAT);
  const answers = await Promise.all(Array.from({ length: CASE_DATES_MAX + 5 }, () => ask(ONE, RESPOND)));
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(5);
  expect(await errorOf(refused[0] ?? expect.fail())).toMatchObject({
    error: `A case can have at most ${CASE_DATES_MAX} dates. Remove one that is done.`,
  });
  expect(await datesOf(ONE)).toHaveLength(CASE_DATES_MAX);
});

test('another user’s case, and one that is not saved, have no dates', async () => {
  await cases.save(ONE, ADA);
  const id = randomUUID();
  await put(ONE, RESPOND, { id, as: ADA });
  for (const as of [BOB, PAT]) {
    expect((await ask(ONE, RESPOND, { as })).status).toBe(404);
    expect((await drop(ONE, id, as)).status).toBe(404);
  }
  expect(await datesOf(ONE, ADA)).toHaveLength(1);
});

test('dates go with the case and come back with it, by a restore or when it is saved again', async () => {
  await cases.save(ONE, PAT);
  const { dates } = await put(ONE, RESPOND);
  await cases.remove(ONE, PAT);
  expect((await open()).dates).toEqual([]);
  expect(outcomes(await bulk({ action: 'restore', receiptNumbers: [ONE] }))).toEqual(['changed']);
  expect(await datesOf(ONE)).toEqual(dates);
  expect((await open()).dates).toHaveLength(1);
  await cases.remove(ONE, PAT);
  await cases.save(ONE, PAT);
  expect(await datesOf(ONE)).toEqual(dates);
});

test('dates are imported, and a case that is saved already keeps its own', async () => {
  await cases.save(ONE, PAT);
  const dates = [
    { ...RESPOND, done: true },
    { kind: 'interview', day: '2026-11-02' },
  ];
  const imported = [ONE, TWO].map((receiptNumber) => ({ receiptNumber, dates }));
  const { results } = importSavedCases.answer.parse(await (await importCases(imported)).json());
  expect(outcomes(results)).toEqual(['unchanged', 'changed']);
  expect(await datesOf(ONE)).toBeUndefined();
  expect(await datesOf(TWO)).toMatchObject([
    { kind: 'interview', day: '2026-11-02', label: null, doneAt: null },
    { ...RESPOND, doneAt: expect.any(String) },
  ]);
  const many = Array.from({ length: CASE_DATES_MAX + 1 }, () => RESPOND);
  expect((await importCases([{ receiptNumber: THREE, dates: many }])).status).toBe(400);
});

test('dates are exported, and erased with the account', async () => {
  const cam = { ...PAT, userId: randomUUID() };
  await cases.save(ONE, cam);
  await put(ONE, RESPOND, { as: cam });
  await put(ONE, { kind: 'interview', day: '2026-11-02', done: true }, { as: cam });
  const csv = await cases.call('POST', '/api/saved-cases/export.csv', { as: cam, body: {} });
  expect(await csv.text()).toContain('"interview 2026-11-02 done; respond-by 2026-12-24: RFE"');
  const lines = await cases.call('POST', '/api/saved-cases/export.ndjson', { as: cam, body: {} });
  expect(JSON.parse(await lines.text()).dates).toEqual(await datesOf(ONE, cam));
  await cases.remove(ONE, cam);
  await cases.save(ONE, cam);
  await cases.deliver(userDeleted, { userId: cam.userId });
  expect(await cases.database.query('SELECT FROM cases.saved_cases')).toEqual([]);
  expect((await ask(ONE, RESPOND, { as: cam })).status).toBe(404);
});

test('a page is sorted by the next open date, cases without one last, and filtered by it', async () => {
  for (const receiptNumber of [ONE, TWO, THREE]) await cases.save(receiptNumber, PAT);
  await put(ONE, { ...RESPOND, day: '2026-12-25' });
  await put(ONE, { ...RESPOND, day: '2026-01-01', done: true });
  await put(TWO, { ...RESPOND, day: '2026-12-24' });
  const pageOf = async (query: string): Promise<string[]> => {
    const answer = await cases.call('GET', `/api/saved-cases/page?${query}`, { as: PAT });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as SavedCasesPage).cases.map((one) => one.receiptNumber);
  };
  expect(await pageOf('sort=date&order=asc')).toEqual([TWO, ONE, THREE]);
  const first = await cases.call('GET', '/api/saved-cases/page?sort=date&order=asc&limit=2', { as: PAT });
  const { next } = (await first.json()) as SavedCasesPage;
  expect(await pageOf(`sort=date&order=asc&cursor=${next}`)).toEqual([THREE]);
  expect(await pageOf('dateUntil=2026-12-24')).toEqual([TWO]);
  expect(await pageOf('dateUntil=2026-12-23')).toEqual([]);
  expect((await cases.call('GET', '/api/saved-cases/page?dateUntil=soon', { as: PAT })).status).toBe(400);
});

test('open dates are listed for reminders, page by page: none that is done, archived or beyond the days', async () => {
  for (const receiptNumber of [ONE, TWO]) await cases.save(receiptNumber, PAT);
  await put(ONE, { ...RESPOND, day: '2026-05-01' });
  await put(ONE, { ...RESPOND, day: '2026-06-01', done: true });
  await put(ONE, { ...RESPOND, day: '2027-06-01' });
  await put(TWO, { ...RESPOND, day: '2026-05-02' });
  expect((await open({ from: '2026-05-01', until: '2026-05-31' })).dates).toMatchObject([
    { userId: PAT.userId, receiptNumber: TWO, day: '2026-05-02' },
    { userId: PAT.userId, receiptNumber: ONE, day: '2026-05-01', label: 'RFE' },
  ]);
  await cases.change(ONE, { archived: true }, PAT);
  expect((await open()).dates.map(({ receiptNumber }) => receiptNumber)).toEqual([TWO]);
  await cases.database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, created_at, dates, first_open_day, last_open_day)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, now(), dates, '2026-05-02', '2026-05-02'
     FROM cases.saved_cases, generate_series(1, $2::int) WHERE receipt_number = $3`,
    [THREE, OPEN_DATES_PAGE, TWO],
  );
  const first = await open();
  const second = await open({ after: first.next ?? expect.fail() });
  expect(second.next).toBeNull();
  expect(new Set([...first.dates, ...second.dates].map(({ userId }) => userId)).size).toBe(
    OPEN_DATES_PAGE + 1,
  );
});
