import type { SavedCase } from '@casewatch/contracts/cases';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, historyEntry, PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';

const SLOW_MACHINE_MS = 120_000;
const NUMBER = 'EAC9999103403';
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
const STATUSES = [
  'Case Was Received',
  'Request for Additional Evidence Was Sent',
  'Case Was Approved',
  'Case Was Denied',
  'Travel Document Was Returned to USCIS And Will Be Held For 180 Days',
];

/** Cases of every kind: each status, long and no nicknames, many tags and none. */
function someCases(count: number): SavedCase[] {
  return Array.from({ length: count }, (_, nth) =>
    savedCase(`SRC${2_190_000_000 + nth}`, {
      nickname: nth % 7 === 0 ? LONG_NAME : nth % 3 === 0 ? `Client ${nth}` : null,
      tags: nth % 5 === 0 ? ['Family', 'urgent', LONG_NAME.slice(0, 40)] : [],
      lastKnownStatus: STATUSES[nth % (STATUSES.length + 1)] ?? null,
      formType: nth % 4 === 0 ? null : 'I-485',
      monitoringFrequency: nth % 2 === 0 ? 'none' : 'weekly',
      statusChangedAt: '2026-01-05T12:00:00.000Z',
    }),
  );
}

const WORKSPACE: Record<string, (api: FakeApi) => Promise<void>> = {
  'no cases': async (api) => {
    keepsCases(api, []);
    await showApp('/saved-cases');
    await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  },
  'no cases yet while they load': async (api) => {
    api.holds(endpoints.listSavedCasesPage);
    await showApp('/saved-cases');
    await expect.element(page.getByText('Loading saved cases...')).toBeVisible();
  },
  'cases that can’t be read': async (api) => {
    api.refuses(endpoints.listSavedCasesPage, 'UNAVAILABLE');
    await showApp('/saved-cases');
    await expect.element(page.getByText('Your saved cases could not be loaded')).toBeVisible();
  },
  'no case that fits the search': async (api) => {
    keepsCases(api, []);
    await showApp('/saved-cases?search=nothing');
    await expect.element(page.getByText('No cases match')).toBeVisible();
  },
  'the list of removed cases open': async (api) => {
    const { removed } = serveWorkspace(api, someCases(1));
    removed.push(...someCases(34));
    await showApp('/saved-cases');
    await button('Recently removed').click();
    await expect.element(button('Restore SRC2190000033')).toBeVisible();
  },
  'the preview of an import open': async (api) => {
    serveWorkspace(api, someCases(1));
    await showApp('/saved-cases');
    await button('Import cases').click();
    const field = page.getByLabelText('CSV file or Excel workbook');
    await expect.element(field).toBeEnabled();
    const lines = someCases(34).map(({ receiptNumber, nickname }) => `${receiptNumber},${nickname ?? ''}`);
    const file = new File([[...lines, 'WAC12', lines[1]].join('\n')], 'cases.csv', { type: 'text/csv' });
    await userEvent.upload(field, file);
    await expect.element(page.getByText('33 new, 1 already saved, 1 repeated, 1 invalid')).toBeVisible();
  },
};

test.for(Object.keys(WORKSPACE))(
  'the workspace with %s is accessible',
  { timeout: SLOW_MACHINE_MS },
  async (state, { api }) => {
    signedIn(api, PRO_USER);
    await WORKSPACE[state]?.(api);
    await expectAccessibleEverywhere();
  },
);

test.for(
  (['cards', 'table'] as const).flatMap((view) =>
    // Up to five cards have no filters.
    ([view === 'cards' ? 6 : 1, 34, 2_000] as const).map((count) => [view, count] as const),
  ),
)(
  '%s of %i cases are accessible, with some selected and the filters open',
  { timeout: SLOW_MACHINE_MS },
  async ([view, count], { api }) => {
    signedIn(api, PRO_USER);
    localStorage.setItem('casewatch-saved-cases-view', view);
    // The table gets all of them, which makes it virtual; cards come in pages.
    serveWorkspace(api, someCases(count), view === 'table' ? count : undefined);
    await showApp('/saved-cases');
    await page.getByText('Filters').click();
    await page.getByRole('checkbox', { name: 'Select SRC2190000000' }).click();
    await expect.element(page.getByText('1 case selected')).toBeVisible();
    if (view === 'table' && count === 2_000)
      await expect.element(page.getByRole('table')).toHaveAttribute('aria-rowcount', '2001');
    await expectAccessibleEverywhere();
  },
);

const CASE_PAGE: Record<string, (api: FakeApi) => Promise<void>> = {
  'is loading': async (api) => {
    api.holds(endpoints.lookUpCase);
    await showApp(`/cases/${NUMBER}`);
    await expect.element(page.getByText(`Checking ${NUMBER} with the agency...`)).toBeVisible();
  },
  'gets no answer': async (api) => {
    api.refuses(endpoints.lookUpCase, 'AGENCY_UNAVAILABLE', 'The agency does not answer.');
    await showApp(`/cases/${NUMBER}`);
    await expect.element(page.getByText('Status not available right now')).toBeVisible();
  },
  'shows a case that is not saved': async (api) => {
    api.answers(endpoints.lookUpCase, caseResult(NUMBER));
    await showApp(`/cases/${NUMBER}`);
    await expect.element(page.getByText('Not saved yet')).toBeVisible();
  },
  'shows a saved case with a long history, while its tags are edited': async (api) => {
    keepsCases(api, [savedCase(NUMBER, { nickname: LONG_NAME, tags: ['Family', LONG_NAME.slice(0, 40)] })]);
    api.answers(
      endpoints.lookUpCase,
      caseResult(NUMBER, {
        caseStatus: 'Request for Additional Evidence Was Sent',
        histCaseData: Array.from({ length: 34 }, (_, nth) =>
          historyEntry(STATUSES[nth % STATUSES.length] ?? '', nth % 3 === 0 ? null : `20${40 - nth}-01-05`),
        ),
      }),
    );
    await showApp(`/cases/${NUMBER}`);
    await button(`Edit tags of ${NUMBER}`).click();
  },
};

test.for(Object.keys(CASE_PAGE))(
  'a case page that %s is accessible',
  { timeout: SLOW_MACHINE_MS },
  async (state, { api }) => {
    signedIn(api, PRO_USER);
    await CASE_PAGE[state]?.(api);
    await expectAccessibleEverywhere();
  },
);

const BULK: Record<string, (api: FakeApi) => Promise<void>> = {
  'that are awaited': async (api) => {
    api.holds(endpoints.lookUpCases);
    await lookUpSeveral(2);
    await expect.element(page.getByText('Checking 2 cases with the agency...')).toBeVisible();
  },
  'that can’t be had': async (api) => {
    api.refuses(endpoints.lookUpCases, 'AGENCY_UNAVAILABLE', 'The agency does not answer.');
    await lookUpSeveral(2);
    await expect.element(page.getByText('Status not available right now')).toBeVisible();
  },
  'of one case': async (api) => {
    answersAll(api, () => true);
    await lookUpSeveral(1);
    await expect.element(page.getByRole('article', { name: bulkNumber(0) })).toBeVisible();
  },
  'of ten cases, three of which failed': async (api) => {
    answersAll(api, (nth) => nth % 4 !== 1);
    await lookUpSeveral(10);
    await expect.element(page.getByRole('region', { name: '10 results, 3 without a status' })).toBeVisible();
  },
};
const bulkNumber = (nth: number) => `EAC${9_000_000_000 + nth}`;

function answersAll(api: FakeApi, isFound: (nth: number) => boolean): void {
  api.serves(endpoints.lookUpCases, ({ body }) =>
    body.receiptNumbers.map((receiptNumber, nth) =>
      isFound(nth)
        ? {
            success: true,
            receiptNumber,
            data: caseResult(receiptNumber, { caseStatus: STATUSES[nth % STATUSES.length] ?? '' }),
          }
        : { success: false, receiptNumber, error: 'The agency does not know this receipt number.' },
    ),
  );
}

async function lookUpSeveral(count: number): Promise<void> {
  await showApp('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const numbers = Array.from({ length: count }, (_, nth) => bulkNumber(nth));
  await page.getByLabelText('Receipt Numbers').fill(numbers.join('\n'));
  await button(`Check ${count} Case(s)`).click();
}

test.for(Object.keys(BULK))(
  'bulk results %s are accessible',
  { timeout: SLOW_MACHINE_MS },
  async (state, { api }) => {
    signedIn(api, PRO_USER);
    await BULK[state]?.(api);
    await expectAccessibleEverywhere();
  },
);

const LOOKUP: Record<string, (api: FakeApi) => Promise<void>> = {
  'that is awaited': async (api) => {
    api.holds(endpoints.lookUpCase);
    await lookUpOne();
    await expect.element(button('Checking...')).toBeDisabled();
  },
  'that gets no answer': async (api) => {
    api.refuses(endpoints.lookUpCase, 'AGENCY_UNAVAILABLE', 'The agency does not answer.');
    await lookUpOne();
    await expect.element(page.getByText('Status not available right now')).toBeVisible();
  },
  'of a number that the agency does not know': async (api) => {
    api.refuses(endpoints.lookUpCase, 'RECEIPT_NOT_RECOGNIZED', 'Not recognized.');
    await lookUpOne();
    await expect.element(page.getByText('Receipt number not recognized')).toBeVisible();
  },
  'with a result': async (api) => {
    api.answers(endpoints.lookUpCase, caseResult(NUMBER, { caseStatus: STATUSES[1] ?? '' }));
    await lookUpOne();
    await expect.element(page.getByRole('article', { name: NUMBER })).toBeVisible();
  },
};

async function lookUpOne(): Promise<void> {
  await showApp('/');
  await page.getByLabelText('Receipt Number').fill(NUMBER);
  await button('Check Status').click();
}

test.for(Object.keys(LOOKUP))(
  'a lookup %s is accessible',
  { timeout: SLOW_MACHINE_MS },
  async (state, { api }) => {
    signedIn(api, PRO_USER);
    await LOOKUP[state]?.(api);
    await expectAccessibleEverywhere();
  },
);
