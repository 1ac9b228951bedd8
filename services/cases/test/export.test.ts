import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADA, type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
});
afterAll(() => cases.stop());

const exported = (as = PAT) => cases.call('GET', '/api/saved-cases.csv', { as });

test('a pro user downloads the saved cases as CSV, newest first, safe for spreadsheets', async () => {
  const savedAt = new Date(cases.clock.nowMs()).toISOString();
  await cases.save('EAC9999103403', PAT, { nickname: '=1+1, "Mum"', monitoringFrequency: 'weekly' });
  await cases.clock.advance(1_000);
  const { caseStatus, observedAt } = await cases.found('LIN9999106498', PAT);
  await cases.save('LIN9999106498', PAT);
  await cases.save('SRC9999102777', ADA);

  const answer = await exported();
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="saved-cases.csv"');
  const [head, ...rows] = (await answer.text()).split('\r\n');
  expect(head).toContain('"Receipt Number","Nickname","Monitoring","Last Status","Last Checked","Saved"');
  expect(rows).toEqual([
    `"LIN9999106498","","none","${caseStatus}","${observedAt}","${observedAt}"`,
    `"EAC9999103403","'=1+1, ""Mum""","weekly","","","${savedAt}"`,
    '',
  ]);
});

test('the export of case data is for pro users', async () => {
  expect(await errorOf(await exported(ADA))).toMatchObject({ status: 403, code: 'PRO_REQUIRED' });
});
