import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkChange, SavedCasesPage } from '@casewatch/contracts/workspace';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { chosenOf, signedIn } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { casesPage, PRO_USER, savedCase } from './samples.ts';

export const [ONE, TWO, THREE] = ['WAC0000000001', 'WAC0000000002', 'WAC0000000003'] as const;
/** The receipt number of one of many cases. */
export const number = (nth: number) => `SRC${2_190_000_000 + nth}`;

export const three = (): SavedCase[] => [
  savedCase(ONE, {
    nickname: 'Mom',
    tags: ['Family'],
    formType: 'I-130',
    lastKnownStatus: 'Request for Initial Evidence Was Sent',
    statusChangedAt: '2026-01-05T12:00:00.000Z',
  }),
  savedCase(TWO, { monitoringFrequency: 'daily', lastKnownStatus: 'Case Was Approved', formType: 'I-485' }),
  savedCase(THREE),
];

export const row = (receiptNumber: string) => page.getByRole('row').filter({ hasText: receiptNumber });
export const check = (receiptNumber: string) =>
  page.getByRole('checkbox', { name: `Select ${receiptNumber}` });
export const region = () => page.getByRole('region', { name: 'Cases', exact: true });
export const outcome = () => page.getByRole('region', { name: 'Result of the last change' });

export const inTable = () => localStorage.setItem('casewatch-saved-cases-view', 'table');

/** Signs a Pro user in, who looks at the table of these cases. */
export function serveProTable(api: FakeApi, cases: SavedCase[], pageSize?: number) {
  signedIn(api, PRO_USER);
  inTable();
  return serveWorkspace(api, cases, pageSize);
}

/** The server's part, over a list that the test may change: pages, bulk changes and what was removed. */
export function serveWorkspace(api: FakeApi, cases: SavedCase[], pageSize?: number) {
  const removed: SavedCase[] = [];
  const changes: BulkChange[] = [];
  api.answers(endpoints.listWatches, []);
  api.serves(endpoints.listSavedCases, ({ query }) => chosenOf(cases, query));
  api.serves(endpoints.listSavedCasesPage, ({ query }): SavedCasesPage => {
    const limit = pageSize ?? Number(query.limit);
    const start = Number(query.cursor ?? 0);
    const matching = cases.filter(({ archivedAt }) => (archivedAt !== null) === (query.archived === 'true'));
    const whole = casesPage(matching).summary;
    return {
      cases: matching.slice(start, start + limit),
      next: start + limit < matching.length ? String(start + limit) : null,
      summary: start === 0 && whole ? { ...whole, archived: cases.length - matching.length } : null,
    };
  });
  api.serves(endpoints.listRemovedCases, () =>
    removed.map(({ receiptNumber, nickname, tags, monitoringFrequency, lastKnownStatus }) => ({
      receiptNumber,
      nickname,
      tags,
      monitoringFrequency,
      lastKnownStatus,
      removedAt: '2026-02-01T12:00:00.000Z',
      restorableUntil: '2026-03-03T12:00:00.000Z',
    })),
  );
  api.serves(endpoints.changeSavedCases, ({ body }) => {
    changes.push(body);
    const move = (from: SavedCase[], to: SavedCase[]) => {
      for (const receiptNumber of body.receiptNumbers) {
        const at = from.findIndex((one) => one.receiptNumber === receiptNumber);
        if (at >= 0) to.unshift(...from.splice(at, 1));
      }
    };
    if (body.action === 'remove') move(cases, removed);
    if (body.action === 'restore') move(removed, cases);
    for (const [nth, one] of cases.entries()) {
      if (!body.receiptNumbers.includes(one.receiptNumber)) continue;
      if (body.action === 'archive') one.archivedAt = '2026-02-01T12:00:00.000Z';
      if (body.action === 'unarchive') one.archivedAt = null;
      if (body.action === 'setFrequency')
        cases[nth] = { ...one, monitoringFrequency: body.monitoringFrequency };
      if (body.action === 'snooze') cases[nth] = { ...one, snoozedUntil: body.snoozedUntil };
    }
    return {
      results: body.receiptNumbers.map((receiptNumber) => ({ receiptNumber, outcome: 'changed' as const })),
    };
  });
  return { changes, removed };
}
