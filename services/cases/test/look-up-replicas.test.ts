import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

let database: TestDatabase;
let first: CasesFixture;
let replicas: CasesFixture[];

// Three replicas that share a database; the agency is the first one's.
beforeAll(async () => {
  database = await createTestDatabase();
  const shared = { database, clock: systemClock };
  first = await startCases(shared);
  const others = [1, 2].map(() => startCases({ ...shared, agencyUrl: first.agencyUrl }));
  replicas = [first, ...(await Promise.all(others))];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await database.drop();
});
beforeEach(() => first.control('DELETE', ''));

const lookUpEverywhere = (receiptNumber: string, times = 10) =>
  Promise.all(
    Array.from({ length: times }, () => replicas.map((replica) => replica.lookUp(receiptNumber))).flat(),
  );

test('lookups of one receipt number in three replicas at once make one call', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  const answers = await lookUpEverywhere('EAC9999103403');
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bodies).size).toBe(1);
  expect((await first.calls('EAC9999103403')).total).toBe(1);
});

test('the same for a receipt number that is not recognized', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  const answers = await lookUpEverywhere('EAC1234567891');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await first.calls('EAC1234567891')).total).toBe(1);
});

test('the same for one that the agency refuses', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  await first.fault({ mode: 'refused', receiptNumber: 'EAC9999103404', count: 1 });
  const answers = await lookUpEverywhere('EAC9999103404', 2);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
  const [refused] = answers;
  expect(refused && (await errorOf(refused)).code).toBe('AGENCY_REFUSED');
  expect((await first.calls('EAC9999103404')).total).toBe(1);
});

test('what one replica has stored is what all of them answer from then on', async () => {
  const number = 'EAC9999103405';
  await lookUpEverywhere(number, 1);
  await first.move(number, 'Case Was Approved');
  expect(await first.check([number])).toMatchObject([{ outcome: 'observed' }]);
  const answers = await Promise.all((await lookUpEverywhere(number, 2)).map((answer) => answer.json()));
  expect(answers).toMatchObject(Array(6).fill({ caseStatus: 'Case Was Approved' }));
});

test('of lookups that share a call one row has the call, and the others say that the answer was shared', async () => {
  const number = 'EAC9999103410';
  await first.forgetPublished();
  await first.control('PUT', '/latency', { ms: 500 });
  const answers = await Promise.all(replicas.map((replica) => replica.lookUp(number, PAT)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect
    .poll(async () => (await first.logged()).map((row) => [row.outcome, row.agencyCalls]).sort())
    .toEqual([
      ['answered', 1],
      ['shared', 0],
      ['shared', 0],
    ]);
});

test('a lookup at any replica is answered by the process that calls the agency then', async () => {
  const answers = await Promise.all(
    replicas.map((replica, nth) => replica.lookUp(`SRC219000${2_000 + nth * 2}`, PAT)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
