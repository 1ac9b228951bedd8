import { caseWatchChanged } from '@casewatch/contracts/events';
import {
  type BulkOutcome,
  changeSavedCases,
  importSavedCases,
  listRemovedCases,
  type RemovedCase,
} from '@casewatch/contracts/workspace';
import type { Person } from '@casewatch/testing/test-service';
import { expect } from 'vitest';
import { type CasesFixture, PAT } from './cases-fixture.ts';

export const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];
export const DAY_MS = 86_400_000;

/** Before each test: no case is saved, removed or looked up, and what the agency answered before is a day old. */
export async function emptyLists(cases: CasesFixture): Promise<void> {
  for (const table of ['saved_cases', 'removed_cases', 'deleted_users', 'plans', 'case_snapshots']) {
    await cases.database.query(`DELETE FROM cases.${table}`);
  }
  await cases.clock.advance(DAY_MS);
  await cases.forgetPublished();
}

export const outcomes = (results: readonly BulkOutcome[]) =>
  results.map(({ outcome, code }) => code ?? outcome);

/** What tests of many saved cases ask of the service. */
export function workspaceCalls(cases: () => CasesFixture) {
  const ask = (body: unknown, as: Person = PAT) => cases().call('POST', changeSavedCases.path, { as, body });
  return {
    ask,
    async bulk(body: unknown, as: Person = PAT): Promise<BulkOutcome[]> {
      const answer = await ask(body, as);
      expect(answer.status).toBe(200);
      return changeSavedCases.answer.parse(await answer.json()).results;
    },
    removed: async (as: Person = PAT): Promise<RemovedCase[]> =>
      listRemovedCases.answer.parse(await (await cases().call('GET', listRemovedCases.path, { as })).json()),
    importCases: (list: unknown[], as: Person = PAT, after?: string) =>
      cases().call('POST', importSavedCases.path, { as, body: { cases: list, after } }),
    watches: async () =>
      (await cases().eventsOf(caseWatchChanged)).map(({ receiptNumber, frequency }) => [
        receiptNumber,
        frequency,
      ]),
  };
}
