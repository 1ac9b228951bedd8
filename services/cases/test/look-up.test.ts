import { caseStatusResult } from '@casewatch/contracts/cases';
import { caseObserved } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { beforeEach, expect, test } from 'vitest';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';

// No call waits: the clock stands still.
const cases = await forThisFile(startCases({ env: { BUDGET_WAIT_MS: '0', LOOKUP_LOG_STORED_SHARE: '0' } }));
beforeEach(async () => {
  await cases.control('DELETE', '');
  // A day later nothing stored is fresh.
  await cases.clock.advance(86_400_000);
  await cases.forgetPublished();
});

/** Rows of the lookups that made calls: they are written with the answers. */
const calledFor = async (receiptNumber: string) =>
  (await cases.logged()).filter((row) => row.receiptNumbers.includes(receiptNumber) && row.agencyCalls !== 0);

test('a case is answered as the agency reports it, in the form of the contract', async () => {
  const found = await cases.found('EAC9999103403');
  expect(caseStatusResult.parse(found)).toEqual(found);
  expect(found).toMatchObject({
    receiptNumber: 'EAC9999103403',
    caseStatus: 'Case Was Approved',
    formType: 'I-130',
    applicationOrPetitionType: 'Petition for Alien Relative',
    caseSubstatus: 'decision',
    channelType: 'Vermont Service Center',
    caseCreationDate: '09-05-2023 14:28:46',
    caseLastUpdated: '09-05-2023 14:28:46',
    observedAt: new Date(cases.clock.nowMs()).toISOString(),
    histCaseData: [
      { caseStatus: 'Case Was Approved', statusHistDate: '09-05-2023 14:28:46' },
      { caseStatus: 'Case Was Received', statusHistDate: '2023-09-05' },
    ],
  });
  expect(found.stale).toBeUndefined();
});

test('case, spaces and hyphens of the receipt number do not matter', async () => {
  const answer = await cases.lookUp(' eac-9999 103403 ');
  expect(await answer.json()).toMatchObject({ receiptNumber: 'EAC9999103403' });
});

test.each([
  'EAC٩٩٩٩١٠٣٤٠٣',
  'eac९९९९१०३४०३',
  'ЕАС9999103403',
  'ＥＡＣ９９９９１０３４０３',
  'EAC–9999–103403',
])('%j names a case: which script letters and digits are of does not matter', async (typed) => {
  const answer = await cases.lookUp(typed);
  expect(await answer.json()).toMatchObject({ receiptNumber: 'EAC9999103403' });
});

test.each(['EAC999910340', 'EAC99991034033', '1AC9999103403', 'EAC*999103403', 'x', '%'])(
  '"%s" is refused without asking the agency',
  async (receiptNumber) => {
    expect(await errorOf(await cases.lookUp(receiptNumber))).toMatchObject({
      status: 400,
      code: 'VALIDATION',
      error: 'Invalid receipt number format',
    });
    expect((await cases.calls()).total).toBe(0);
  },
);

test('a lookup needs a session', async () => {
  const answer = await cases.call('GET', '/api/case-status/EAC9999103403');
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
});

test('a fresh stored answer costs no call and publishes no observation, for every user', async () => {
  await cases.found('EAC9999103404');
  await cases.forgetPublished();
  await cases.clock.advance(59_000);
  await cases.found('EAC9999103404', BOB);
  expect((await cases.calls('EAC9999103404')).total).toBe(1);
  expect(await cases.eventsOf(caseObserved)).toEqual([]);
  await cases.clock.advance(1_000);
  await cases.found('EAC9999103404');
  expect((await cases.calls('EAC9999103404')).total).toBe(2);
});

test('another process answers from the store, without a call', async () => {
  await cases.found('EAC9999103405');
  const other = await startCases({ database: cases.database });
  await other.clock.advance(cases.clock.nowMs() - other.clock.nowMs() + 30_000);
  const found = await other.found('EAC9999103405');
  expect(found).toEqual(await cases.found('EAC9999103405'));
  expect((await other.calls()).total).toBe(0);
  await other.stop();
});

test('a hundred lookups of one receipt number at once make one call', async () => {
  await cases.control('PUT', '/latency', { ms: 100 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => cases.found('EAC9999103410')));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect((await cases.calls('EAC9999103410')).total).toBe(1);
});

test('every observation and every call is published, without a secret', async () => {
  await cases.found('EAC9999103411', PAT);
  expect(await cases.eventsOf(caseObserved)).toEqual([
    expect.objectContaining({
      receiptNumber: 'EAC9999103411',
      callNumber: expect.stringMatching(/^\d+$/),
      outcome: 'observed',
      source: 'user',
      status: expect.any(String),
    }),
  ]);
  const [call] = await calledFor('EAC9999103411');
  expect(call).toMatchObject({
    receiptNumbers: ['EAC9999103411'],
    userId: PAT.userId,
    userFirstName: 'Mary Ann',
    source: 'user',
    statusCode: 200,
    success: true,
  });
  expect(call?.responsePayload).toContain('current_case_status_text_en');
  expect(JSON.stringify(await cases.published())).not.toMatch(/test-secret|Bearer/);
});

test('"not recognized" says so, gives advice and never claims that the case does not exist', async () => {
  const error = await errorOf(await cases.lookUp('EAC1234567891'));
  expect(error).toMatchObject({ status: 404, code: 'RECEIPT_NOT_RECOGNIZED' });
  expect(error.error).toMatch(/not recognized/);
  expect(error.error).toMatch(/Check it/);
  expect(error.error).not.toMatch(/exist|found/);
  expect(await calledFor('EAC1234567891')).toEqual([
    expect.objectContaining({ statusCode: 404, success: false }),
  ]);
  expect(await cases.eventsOf(caseObserved)).toMatchObject([
    { receiptNumber: 'EAC1234567891', outcome: 'not-recognized', source: 'user' },
  ]);
});

test('"not recognized" is remembered for its own time, then asked again', async () => {
  const first = (await (await cases.lookUp('EAC1234567893')).json()) as { agencyMessage?: string };
  expect(first.agencyMessage).toBeTruthy();
  await cases.clock.advance(299_000);
  const again = await cases.lookUp('EAC1234567893');
  expect(again.status).toBe(404);
  expect(await again.json()).toMatchObject({ agencyMessage: first.agencyMessage });
  expect((await cases.calls('EAC1234567893')).total).toBe(1);
  await cases.clock.advance(1_000);
  await cases.move('EAC1234567893', 'Case Was Received');
  expect((await cases.found('EAC1234567893')).caseStatus).toBe('Case Was Received');
});

test('a case that the agency no longer recognizes is not shown from the store, not even when the agency is down', async () => {
  await cases.found('EAC9999103416', ADA);
  await cases.clock.advance(60_000);
  await cases.fault({ mode: 'not-found', receiptNumber: 'EAC9999103416' });
  expect((await cases.lookUp('EAC9999103416')).status).toBe(404);
  await cases.clock.advance(300_000);
  await cases.fault({ mode: 'refused', receiptNumber: 'EAC9999103416', count: 1 });
  expect((await cases.lookUp('EAC9999103416')).status).toBe(422);
  await cases.fault({ mode: 'rate-limited', receiptNumber: 'EAC9999103416', count: 1 });
  expect((await cases.lookUp('EAC9999103416')).status).toBe(429);
});
