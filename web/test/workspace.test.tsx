import type { SavedCase } from '@casewatch/contracts/cases';
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CHANGES_CHANNEL } from '../src/api/data-changes.ts';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, expectToast, keepsCases, settle, showApp, signedIn, test } from './component-test.tsx';
import { casesPage, FREE_USER, PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';

const [ONE, TWO, THREE] = ['WAC0000000001', 'WAC0000000002', 'WAC0000000003'];
const number = (nth: number) => `SRC${2_190_000_000 + nth}`;
const SLOW_MACHINE_MS = 30_000;
const row = (receiptNumber: string) => page.getByRole('row').filter({ hasText: receiptNumber });
const check = (receiptNumber: string) => page.getByRole('checkbox', { name: `Select ${receiptNumber}` });
const region = () => page.getByRole('region', { name: 'Cases', exact: true });
const outcome = () => page.getByRole('region', { name: 'Result of the last change' });

const three = (): SavedCase[] => [
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

const inTable = () => localStorage.setItem('casewatch-saved-cases-view', 'table');

test('cards or a table: the choice is remembered on this device', async ({ api }) => {
  signedIn(api);
  keepsCases(
    api,
    three().map((one) => ({ ...one, monitoringFrequency: 'none' as const })),
  );
  const screen = await showApp('/saved-cases');
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
  await button('Table').click();
  await expect
    .element(row(ONE))
    .toMatchTextContent(
      /Mom.*Request for Initial Evidence Was Sent.*Needs action.*I-130.*Family.*Jan 5, 2026.*None.*Never/,
    );
  await expect.element(row(ONE).getByRole('link')).toHaveAttribute('href', `/cases/${ONE}`);
  await screen.unmount();
  await showApp('/saved-cases');
  await expect.element(row(THREE)).toMatchTextContent('Not checked yet');
  await button('Cards').click();
  await expect.element(page.getByRole('article', { name: ONE })).toMatchTextContent('Needs action');
});

test('a header sorts at the server and says so, first the way that is most wanted', async ({ api }) => {
  signedIn(api);
  inTable();
  api.answers(endpoints.listWatches, []);
  const pages = api.holds(endpoints.listSavedCasesPage);
  await showApp('/saved-cases?tag=Family');
  await expect.poll(() => pages.length).toBe(1);
  pages[0]?.answer(casesPage(three().map((one) => ({ ...one, monitoringFrequency: 'none' as const }))));
  const header = (name: string) => page.getByRole('columnheader', { name });
  await button('Nickname').click();
  await expect.poll(() => pages.length).toBe(2);
  expect(pages[1]?.query).toEqual({ tag: 'Family', sort: 'nickname', order: 'asc', limit: '50' });
  await expect.element(header('Nickname')).toHaveAttribute('aria-sort', 'ascending');
  pages[1]?.answer(casesPage(three()));
  await button('Nickname').click();
  await expect.poll(() => pages[2]?.query).toMatchObject({ sort: 'nickname', order: 'desc' });
  await expect.element(header('Nickname')).toHaveAttribute('aria-sort', 'descending');
  await expect.element(button('Nickname')).toHaveFocus();
  await button('Last change').click();
  await expect.poll(() => pages[3]?.query).toMatchObject({ sort: 'changed', order: 'desc' });
  expect(header('Nickname').element().hasAttribute('aria-sort')).toBe(false);
});

test('search, filters and order come from the address and go into it', async ({ api }) => {
  signedIn(api);
  const pages = api.holds(endpoints.listSavedCasesPage);
  await showApp(
    '/saved-cases?search=Mom&status=%3Cb%3E&needsAction=true&monitoring=any&sort=status&nonsense=1',
  );
  await expect
    .poll(() => pages[0]?.query)
    .toEqual({
      search: 'Mom',
      status: '<b>',
      needsAction: 'true',
      monitoring: 'any',
      sort: 'status',
      order: 'asc',
      limit: '50',
    });
  pages[0]?.answer(casesPage([]));
  await expect.element(page.getByText('No saved case fits')).toBeVisible();
  await page.getByText('Filters (3 applied)').click();
  await expect.element(page.getByLabelText('Status')).toHaveValue('<b>');
  await page.getByLabelText('Search your cases').fill('Dad');
  await expect.poll(() => pages[1]?.query).toMatchObject({ search: 'Dad', status: '<b>' });
  pages[1]?.answer(casesPage([]));
  await button('Show all cases').click();
  await expect.poll(() => pages[2]?.query).toEqual({ sort: 'status', order: 'asc', limit: '50' });
  await expect.element(region()).toHaveFocus();
  await expect.element(page.getByLabelText('Search your cases')).toHaveValue('');
});

test('many cases are archived at once; the focus is on the result, and Undo brings them back', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  inTable();
  const { changes } = serveWorkspace(api, three());
  await showApp('/saved-cases');
  await check(ONE).click();
  await check(THREE).click();
  await expect.element(page.getByText('2 cases selected')).toBeVisible();
  await expectAccessible();
  await button('Archive').click();
  await expectToast('Archived', '2 cases changed');
  await expect.element(outcome()).toHaveFocus();
  await expect.element(row(ONE)).not.toBeInTheDocument();
  await userEvent.keyboard('{F8}{Tab}{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectToast('Undone');
  await expect.element(row(ONE)).toBeVisible();
  expect(changes).toEqual([
    { action: 'archive', receiptNumbers: [ONE, THREE] },
    { action: 'unarchive', receiptNumbers: [ONE, THREE] },
  ]);
  expect(document.activeElement).not.toBe(document.body);
});

test('cards are selected as rows are, and the selection stays when the view changes', async ({ api }) => {
  signedIn(api, PRO_USER);
  const { changes } = serveWorkspace(api, three());
  await showApp('/saved-cases');
  await check(ONE).click();
  await check(TWO).click();
  await expect.element(page.getByText('2 cases selected')).toBeVisible();
  await button('Table').click();
  await expect.element(check(ONE)).toBeChecked();
  await button('Cards').click();
  await expect.element(check(TWO)).toBeChecked();
  await expectAccessible();
  await button('Archive').click();
  await expectToast('Archived', '2 cases changed');
  await expect.element(outcome()).toHaveFocus();
  expect(changes).toMatchObject([{ action: 'archive', receiptNumbers: [ONE, TWO] }]);
  await button('Select all shown').click();
  await expect.element(page.getByText('1 case selected')).toBeVisible();
});

test('a change that part of the cases refuse says why for each', async ({ api }) => {
  signedIn(api, PRO_USER);
  inTable();
  serveWorkspace(api, three());
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  api.answers(endpoints.changeSavedCases, {
    results: [
      { receiptNumber: ONE, outcome: 'unchanged' },
      {
        receiptNumber: TWO,
        outcome: 'refused',
        code: 'VALIDATION',
        error: 'A case can have at most 10 tags.',
      },
      { receiptNumber: THREE, outcome: 'changed' },
    ],
  });
  await page.getByLabelText('Tag for the selected cases').fill('Family');
  await button('Add tag').click();
  await expect.element(outcome()).toMatchTextContent('1 case done, 1 already so, 1 failed');
  await expect.element(outcome()).toMatchTextContent(`${TWO} A case can have at most 10 tags.`);
  await button('Close the result').click();
  await expect.element(region()).toHaveFocus();
});

test('selected cases are checked ten at a time, and each that failed says why', async ({ api }) => {
  signedIn(api, PRO_USER);
  inTable();
  serveWorkspace(
    api,
    Array.from({ length: 12 }, (_, nth) => savedCase(number(nth))),
  );
  const asked: string[][] = [];
  api.serves(endpoints.lookUpCases, ({ body }) => {
    asked.push(body.receiptNumbers);
    return body.receiptNumbers.map((receiptNumber, nth) =>
      nth === 1 ? { success: false, receiptNumber, error: 'Busy.' } : { success: true, receiptNumber },
    );
  });
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await button('Check now').click();
  await expect.element(outcome()).toMatchTextContent('10 cases done, 2 failed');
  expect(asked.map((numbers) => numbers.length)).toEqual([10, 2]);
});

test('a removed case is undone from the toast, and later from Recently removed', async ({ api }) => {
  signedIn(api);
  const { changes, removed } = serveWorkspace(api, [savedCase(ONE, { nickname: 'Mom', tags: ['Family'] })]);
  api.serves(endpoints.removeSavedCase, () => {
    removed.push(savedCase(ONE, { nickname: 'Mom', tags: ['Family'] }));
    return undefined;
  });
  await showApp('/saved-cases');
  const remove = async () => {
    await button(`Remove ${ONE}`).click();
    await button('Remove').click();
  };
  api.serves(endpoints.listSavedCasesPage, () =>
    casesPage(removed.length === 0 ? [savedCase(ONE, { nickname: 'Mom' })] : []),
  );
  await remove();
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toContain('No saved cases yet');
  await button('Undo').click();
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
  expect(changes).toEqual([{ action: 'restore', receiptNumbers: [ONE] }]);

  await remove();
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await button('Recently removed').click();
  const dialog = page.getByRole('dialog');
  await expect
    .element(dialog)
    .toMatchTextContent(/Mom.*Family.*Removed Feb 1, 2026, can be restored until Mar 3, 2026/);
  await expectAccessible();
  await dialog.getByRole('button', { name: `Restore ${ONE}` }).click();
  await expect.element(dialog.getByText(`${ONE} was restored.`)).toBeVisible();
  await expect.element(dialog.getByRole('list', { name: 'Removed cases' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Recently removed')).toHaveFocus();
});

test('an undo after another tab used up the free limit says so, and where the case is', async ({ api }) => {
  signedIn(api);
  serveWorkspace(
    api,
    three().map((one) => ({ ...one, monitoringFrequency: 'none' as const })),
  );
  api.answers(endpoints.removeSavedCase, undefined);
  const error =
    'Saving more than 3 cases is a Pro feature. Upgrade to unlock unlimited case tracking and automation.';
  api.answers(endpoints.changeSavedCases, {
    results: [{ receiptNumber: ONE, outcome: 'refused', code: 'SAVED_CASE_LIMIT', error }],
  });
  await showApp('/saved-cases');
  await button(`Remove ${ONE}`).click();
  await button('Remove').click();
  await button('Undo').click();
  await expectToast('Not undone', `${error} Nothing is lost: 1 case can be restored from Recently removed.`);
});

test('a change of a case that another tab removed says what happened, and shows the list as it is', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, three());
  api.refuses(endpoints.changeSavedCase, 'SAVED_CASE_NOT_FOUND', 'This case is not in your saved list.');
  await showApp('/saved-cases');
  const select = page.getByLabelText(`Monitoring frequency of ${ONE}`);
  await expect.element(select).toBeVisible();
  api.answers(endpoints.listSavedCasesPage, casesPage(three().slice(1)));
  await select.selectOptions('Weekly');
  await expectToast(
    'Not changed',
    `${ONE} was removed in another tab or on another device. You can restore it from Recently removed.`,
  );
  await expect.element(page.getByRole('article', { name: ONE })).not.toBeInTheDocument();
});

test('what another tab changed is read at once', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(ONE)]);
  await showApp('/saved-cases');
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
  keepsCases(api, [savedCase(ONE, { nickname: 'Mom' })]);
  const channel = new BroadcastChannel(CHANGES_CHANNEL);
  channel.postMessage([['saved-cases']]);
  channel.close();
  await expect.element(button('Mom')).toBeVisible();
});

test('a change here is told to the other tabs', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(ONE)]);
  api.answers(endpoints.changeSavedCase, savedCase(ONE, { tags: ['Family'] }));
  const channel = new BroadcastChannel(CHANGES_CHANNEL);
  const told: unknown[] = [];
  channel.onmessage = ({ data }) => told.push(data);
  await showApp('/saved-cases');
  await button(/Add tags/).click();
  await userEvent.keyboard('Family, family ,{Enter}');
  await expect.poll(() => told).toEqual([[['saved-cases']]]);
  channel.close();
});

test('with the arrow keys a frequency is chosen first and saved once', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, [savedCase(ONE)]);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  const select = page.getByLabelText(`Monitoring frequency of ${ONE}`);
  await expect.element(select).toBeVisible();
  const element = select.element();
  if (!(element instanceof HTMLSelectElement)) throw new Error('no selector');
  element.focus();
  // As the browser does on an arrow key while the list is closed, on every platform alike.
  for (const value of ['daily', 'weekly', 'monthly']) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    await userEvent.selectOptions(element, value);
  }
  await expect.element(page.getByText('Press Enter to save')).toBeVisible();
  await settle();
  expect(changes).toHaveLength(0);
  await userEvent.tab();
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ monitoringFrequency: 'monthly' }]);
});

test('a CSV file shows what each line does before anything is saved', async ({ api }) => {
  signedIn(api, FREE_USER);
  serveWorkspace(api, [savedCase(ONE)]);
  const imports = api.holds(endpoints.importSavedCases);
  await showApp('/saved-cases');
  await button('Import CSV').click();
  const file = (text: string) => new File([text], 'cases.csv', { type: 'text/csv' });
  const field = page.getByLabelText('CSV file');
  await expect.element(field).toBeEnabled();
  await userEvent.upload(field, new File([new Uint8Array(1_100_000)], 'big.csv'));
  await expect
    .element(page.getByText('This file has 1.1 MB. Files of up to 1 MB can be imported.'))
    .toBeVisible();
  await userEvent.upload(
    field,
    file(
      `Receipt Number,Nickname,Tags,Frequency\n${ONE},,,\n${TWO},Mom,Family,none\nWAC12,,,\n${THREE},,,daily\n${number(1)},,,`,
    ),
  );
  await expect
    .element(page.getByText('2 new, 1 already saved, 1 over the limit of the Free plan, 1 invalid'))
    .toBeVisible();
  await expect.element(row('WAC12')).toMatchTextContent('Has 2 digits instead of 10 after the letters');
  await expectAccessible();
  expect(imports).toHaveLength(0);
  await button('Import 2 cases').click();
  await expect
    .poll(() => imports[0]?.body)
    .toEqual({
      cases: [
        { receiptNumber: TWO, nickname: 'Mom', tags: ['Family'], monitoringFrequency: 'none' },
        { receiptNumber: THREE, monitoringFrequency: 'none' },
      ],
    });
  imports[0]?.answer({
    results: [
      { receiptNumber: TWO, outcome: 'changed' },
      { receiptNumber: THREE, outcome: 'unchanged' },
    ],
  });
  await expect.element(page.getByRole('dialog')).toMatchTextContent('1 case saved, 1 already so');
  await expect.element(page.getByText('Import finished:').element().parentElement).toHaveFocus();
});

test('2,000 cases: pages come while scrolling, and past 500 only the rows around the view are in the page', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  inTable();
  const many = Array.from({ length: 2_000 }, (_, nth) =>
    savedCase(number(nth), { lastKnownStatus: 'Case Was Received', nickname: `Client ${nth}` }),
  );
  serveWorkspace(api, many, 700);
  await showApp('/saved-cases');
  await expect.element(page.getByText('2,000 cases', { exact: true })).toBeVisible();
  expect(api.count(endpoints.listSavedCasesPage), 'pages before anybody scrolls').toBe(1);
  const scrollTo = (top: number) => window.scrollTo({ top, behavior: 'instant' });
  const rows = () => [...document.querySelectorAll('.case-table tbody:not([aria-hidden]) tr')];
  await expect
    .poll(
      () => {
        scrollTo(document.documentElement.scrollHeight);
        return rows().at(-1)?.getAttribute('aria-rowindex');
      },
      { timeout: SLOW_MACHINE_MS },
    )
    .toBe('2001');
  expect(page.getByRole('table').element().getAttribute('aria-rowcount')).toBe('2001');
  expect(api.count(endpoints.listSavedCasesPage)).toBe(3);

  // Work is counted, not timed: a step of scrolling draws some rows anew, whatever the number of cases.
  const drawn: number[] = [];
  const observer = new MutationObserver((changes) => {
    drawn.push(changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0));
  });
  observer.observe(page.getByRole('table').element(), { childList: true, subtree: true });
  for (let y = document.documentElement.scrollHeight; y > 0; y -= 6_000) {
    scrollTo(y);
    await settle();
    expect(rows().length, 'rows in the page').toBeLessThan(100);
  }
  scrollTo(0);
  await expect.element(row(number(0))).toBeVisible();
  observer.disconnect();
  expect(Math.max(...drawn), 'rows drawn in one step').toBeLessThan(100);
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await expect.element(page.getByText('2,000 cases selected')).toBeVisible();
}, 60_000);

test('all matching cases are selected with those that are not read yet', async ({ api }) => {
  signedIn(api, PRO_USER);
  inTable();
  const { changes } = serveWorkspace(
    api,
    Array.from({ length: 1_200 }, (_, nth) => savedCase(number(nth))),
  );
  await showApp('/saved-cases');
  await check(number(0)).click();
  await button('Select all 1,200 matching').click();
  await expect.element(page.getByText('1,200 cases selected')).toBeVisible();
  await button('Set monitoring').click();
  await expectToast('Monitoring changed', '1,200 cases changed');
  expect(changes.map(({ receiptNumbers }) => receiptNumbers.length)).toEqual([500, 500, 200]);
});

test.for([
  [320, 'table'],
  [768, 'table'],
  [1280, 'table'],
  [320, 'cards'],
  [1280, 'cards'],
] as const)('at %i px the %s of 34 cases fits and is accessible', async ([width, view], { api }) => {
  await page.viewport(width, 800);
  signedIn(api, PRO_USER);
  localStorage.setItem('casewatch-saved-cases-view', view);
  const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
  serveWorkspace(api, [
    savedCase(ONE, {
      nickname: long,
      tags: Array.from({ length: 10 }, (_, nth) => `${long.slice(0, 39)}${nth}`),
      lastKnownStatus: 'Travel Document Was Returned to USCIS And Will Be Held For 180 Days',
      formType: 'I-131',
      monitoringFrequency: 'monthly',
    }),
    ...Array.from({ length: 33 }, (_, nth) =>
      savedCase(number(nth), { lastKnownStatus: 'Case Was Received' }),
    ),
  ]);
  await showApp('/saved-cases');
  await page.getByText('Filters').click();
  if (view === 'table') await check(ONE).click();
  await expect.element(page.getByText(long)).toBeVisible();
  expect(document.documentElement.scrollWidth, 'no sideways scrolling').toBeLessThanOrEqual(width);
  await expectAccessible();
  await page.viewport(1280, 800);
});

test('a page that can not be read is told, with a way to try again', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await expect.element(page.getByText('Your saved cases could not be loaded')).toBeVisible();
  await expectAccessible();
  keepsCases(api, [savedCase(ONE)]);
  await button('Try again').click();
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
});
