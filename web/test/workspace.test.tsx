import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  choose,
  expectToast,
  keepsCases,
  openMore,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import { caseResult, casesPage, PRO_USER, savedCase } from './samples.ts';
import {
  check,
  inTable,
  number,
  ONE,
  outcome,
  region,
  row,
  serveProTable,
  serveWorkspace,
  THREE,
  TWO,
  three,
} from './serve-workspace.ts';

const SLOW_MACHINE_MS = 30_000;

/** More than are shown without search and filters. */
const six = () => [...three(), ...[4, 5, 6].map((nth) => savedCase(number(nth)))];

/** As a key does, in the same turn. */
function typeInto(field: Element, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

test('cards or a table: the choice is remembered on this device', async ({ api }) => {
  signedIn(api);
  keepsCases(
    api,
    six().map((one) => ({ ...one, monitoringFrequency: 'none' as const })),
  );
  const screen = await showApp('/saved-cases');
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
  await button('Table').click();
  await expect
    .element(row(ONE))
    .toMatchTextContent(
      /Mom.*WAC0000000001.*Request for Initial Evidence Was Sent.*Needs action.*I-130.*Jan 5, 2026.*None.*Family/,
    );
  const name = row(ONE).getByRole('rowheader').getByRole('link', { name: 'Mom' });
  await expect.element(name).toHaveAttribute('href', `/cases/${ONE}`);
  await screen.unmount();
  await showApp('/saved-cases');
  await expect.element(row(THREE)).toMatchTextContent('Not checked yet');
  await button('Cards').click();
  await expect.element(page.getByRole('article', { name: ONE })).toMatchTextContent('Needs action');
});

test('after a visit to the page of one case the list still says when the others are checked next', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  const watched = [ONE, TWO].map((one) => savedCase(one, { monitoringFrequency: 'daily' }));
  keepsCases(api, watched);
  api.answers(endpoints.lookUpCase, caseResult(ONE));
  api.serves(endpoints.listWatches, ({ query }) =>
    watched
      .map(({ receiptNumber }) => ({
        receiptNumber,
        frequency: 'daily' as const,
        lastCheckedAt: null,
        nextCheckAt: '2030-01-06T15:00:00.000Z',
        late: null,
      }))
      .filter(({ receiptNumber }) => [undefined, receiptNumber].includes(query.receiptNumbers)),
  );
  await showApp('/saved-cases');
  const nextCheck = /Next check Jan 6, 2030/;
  const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
  await expect.element(card(TWO)).toMatchTextContent(nextCheck);
  await card(ONE).getByRole('link').first().click();
  await expect.element(page.getByRole('region', { name: 'Your case' })).toMatchTextContent(nextCheck);
  const reads = api.holds(endpoints.listWatches);
  await page.getByRole('link', { name: 'Saved Cases' }).first().click();
  await expect.element(card(TWO)).toMatchTextContent(nextCheck);
  await expect.poll(() => reads.length).toBe(1);
  await expect.element(card(TWO)).toMatchTextContent(nextCheck);
});

test('a wide window gives the table more room', async ({ api }) => {
  serveProTable(api, three());
  await page.viewport(1920, 1080);
  await showApp('/saved-cases');
  await expect.element(row(ONE)).toBeVisible();
  const widthOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().width ?? 0;
  await expect.poll(() => widthOf('.case-table')).toBeGreaterThan(1300);
  expect(widthOf('[data-column="nickname"]')).toBeGreaterThan(240);
  await page.viewport(1280, 800);
});

test('the table names the day that the agency wrote for a status, where it wrote one', async ({ api }) => {
  signedIn(api);
  inTable();
  const statusChangedAt = '2026-01-05T12:00:00.000Z';
  keepsCases(api, [
    savedCase(ONE, { statusChangedAt, statusDate: '2026-01-06' }),
    savedCase(TWO, { statusChangedAt }),
  ]);
  await showApp('/saved-cases');
  await expect.element(row(ONE)).toMatchTextContent('Jan 6, 2026');
  await expect.element(row(TWO)).toMatchTextContent('Jan 5, 2026');
});

test('in Spanish nicknames, and tags whatever the order, are sorted by the Spanish alphabet', async ({
  api,
}) => {
  signedIn(api);
  inTable();
  api.answers(endpoints.listWatches, []);
  const pages = api.holds(endpoints.listSavedCasesPage);
  await showLanguage('es');
  await showApp('/saved-cases?sort=nickname');
  await expect.poll(() => pages[0]?.query).toMatchObject({ sort: 'nickname', language: 'es' });
  pages[0]?.answer(casesPage(three()));
  await expect.element(row(ONE)).toBeVisible();
  await showApp('/saved-cases');
  await expect.poll(() => pages[1]?.query).toMatchObject({ language: 'es' });
  pages[1]?.answer(casesPage(three()));
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
  const english = { tag: 'Family', sort: 'nickname', order: 'asc', language: 'en', limit: '50' };
  expect(pages[1]?.query).toEqual(english);
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
      language: 'en',
      limit: '50',
    });
  pages[0]?.answer(casesPage([]));
  await expect.element(page.getByText('No cases match')).toBeVisible();
  await page.getByText('Filters (3 applied)').click();
  await expect.element(page.getByLabelText('Status')).toHaveValue('<b>');
  await page.getByLabelText('Search your cases').fill('Dad');
  await expect.poll(() => pages[1]?.query).toMatchObject({ search: 'Dad', status: '<b>' });
  pages[1]?.answer(casesPage([]));
  await button('Show all cases').click();
  await expect
    .poll(() => pages[2]?.query)
    .toEqual({ sort: 'status', order: 'asc', language: 'en', limit: '50' });
  await expect.element(region()).toHaveFocus();
  await expect.element(page.getByLabelText('Search your cases')).toHaveValue('');
});

test.for([
  ['Tag', 'FAMILY', ['Any tag', 'Family (1)']],
  [
    'Status',
    'CASE WAS APPROVED.',
    ['Any status', 'Request for Initial Evidence Was Sent (1)', 'Case Was Approved (1)'],
  ],
] as const)(
  'a %s that the address spells in another way is one choice',
  async ([name, value, choices], { api }) => {
    signedIn(api);
    keepsCases(api, six());
    api.answers(endpoints.listWatches, []);
    await showApp(`/saved-cases?${new URLSearchParams({ [name.toLowerCase()]: value })}`);
    await button('Filters (1 applied)').click();
    const field = page.getByLabelText(name, { exact: true });
    await expect.element(field).toHaveValue(value);
    const shown = [...field.element().querySelectorAll('option')].map(({ textContent }) => textContent);
    expect(shown).toEqual(choices);
  },
);

test('a letter that is typed while the address takes the search stays, and is searched for too', async ({
  api,
}) => {
  signedIn(api);
  keepsCases(api, six());
  api.answers(endpoints.listWatches, []);
  await showApp('/saved-cases');
  const search = page.getByLabelText('Search your cases');
  await expect.element(search).toBeVisible();
  const pages = api.holds(endpoints.listSavedCasesPage);
  // Enter sends the text at once, and the letter comes before the list is drawn.
  const typeOn = () => typeInto(search.element(), 'Moms');
  document.addEventListener('submit', typeOn, { once: true });
  await search.fill('Mom');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => pages.map(({ query }) => query.search)).toContain('Moms');
  await expect.element(search).toHaveValue('Moms');
  pages.at(-1)?.answer(casesPage([]));
  await button('Show all cases').click();
  await expect.element(search).toHaveValue('');
});

test('cards are selected as rows are, and the selection stays when the view changes', async ({ api }) => {
  signedIn(api, PRO_USER);
  const { changes } = serveWorkspace(api, six());
  await showApp('/saved-cases');
  await check(ONE).click();
  await check(TWO).click();
  await expect.element(page.getByText('2 cases selected')).toBeVisible();
  await button('Table').click();
  await expect.element(check(ONE)).toBeChecked();
  await button('Cards').click();
  await expect.element(check(TWO)).toBeChecked();
  await expectAccessible();
  await choose('More', 'Archive');
  await expect.element(outcome()).toMatchTextContent('Archived: 2 cases updated');
  await expect.element(outcome()).toHaveFocus();
  expect(changes).toMatchObject([{ action: 'archive', receiptNumbers: [ONE, TWO] }]);
  await button('Select all shown').click();
  await expect.element(page.getByText('4 cases selected')).toBeVisible();
});

test('a further page that cannot be read is asked for again when it is wanted, and not before', async ({
  api,
}) => {
  signedIn(api);
  inTable();
  api.answers(endpoints.listWatches, []);
  const pages = api.holds(endpoints.listSavedCasesPage);
  await showApp('/saved-cases');
  await expect.poll(() => pages.length).toBe(1);
  pages[0]?.answer(casesPage([savedCase(ONE), savedCase(TWO)], { next: '2' }));
  await expect.poll(() => pages[1]?.query.cursor).toBe('2');
  pages[1]?.refuse('INTERNAL');
  await expect.element(page.getByText('More cases could not be loaded.')).toBeVisible();
  await settle();
  expect(pages.length).toBe(2);
  await button('Show more').click();
  await expect.poll(() => pages[2]?.query.cursor).toBe('2');
  pages[2]?.answer(casesPage([savedCase(THREE)]));
  await expect.element(row(THREE)).toBeVisible();
  await expect.element(page.getByText('More cases could not be loaded.')).not.toBeInTheDocument();
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
  expect(api.count(endpoints.listSavedCasesPage), 'pages before the first scrolling').toBe(1);
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
  const { changes } = serveProTable(
    api,
    Array.from({ length: 1_200 }, (_, nth) => savedCase(number(nth))),
  );
  await showApp('/saved-cases');
  await check(number(0)).click();
  await button('Select all 1,200 matching').click();
  await expect.element(page.getByText('1,200 cases selected')).toBeVisible();
  await choose('Monitor', 'Daily');
  await expect.element(outcome()).toMatchTextContent('Monitoring changed: 1,200 cases updated');
  expect(changes.map(({ receiptNumbers }) => receiptNumbers.length)).toEqual([500, 500, 200]);
});

test('cases that are still being selected are not selected once the selection is cleared or the filter is another', async ({
  api,
}) => {
  serveProTable(api, three(), 2);
  await showApp('/saved-cases');
  const selectMatching = async () => {
    await check(ONE).click();
    const reads = api.holds(endpoints.listSavedCasesPage);
    await button('Select all 3 matching').click();
    await expect.element(button('Selecting...')).toHaveAttribute('aria-disabled', 'true');
    return reads;
  };
  const cleared = await selectMatching();
  await button('Clear selection').click();
  cleared[0]?.answer(casesPage(three()));
  await settle();
  await expect.element(page.getByText(/selected$/)).not.toBeInTheDocument();

  const filtered = await selectMatching();
  await page.getByLabelText('Search your cases').fill('Mom');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => filtered.length).toBe(2);
  filtered[0]?.answer(casesPage(three()));
  await settle();
  await expect.element(page.getByText('1 case selected')).toBeVisible();
  await expect.element(button('Select all 3 matching')).toHaveAttribute('aria-disabled', 'false');
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

test('a page that can not be read is reported, with a way to try again', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await expect.element(page.getByText('Your saved cases could not be loaded')).toBeVisible();
  await expectAccessible();
  keepsCases(api, [savedCase(ONE)]);
  await button('Try again').click();
  await expect.element(page.getByRole('article', { name: ONE })).toBeVisible();
});

test('alerts of a monitored case are snoozed on its card', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.listWatches, []);
  const cases = three();
  keepsCases(api, cases);
  api.serves(endpoints.changeSavedCase, ({ params, body }) => {
    const changed = savedCase(params.receiptNumber ?? '', {
      monitoringFrequency: 'daily',
      snoozedUntil: body.snoozedUntil ?? null,
    });
    keepsCases(
      api,
      cases.map((one) => (one.receiptNumber === TWO ? changed : one)),
    );
    return changed;
  });
  await showApp('/saved-cases');
  await openMore(TWO);
  const snooze = page.getByLabelText(`Snooze alerts of ${TWO}`);
  await snooze.selectOptions('For a week');
  await expect.element(snooze).toHaveValue('snoozed');
  await expect.element(snooze).toMatchTextContent(/Until \w{3} \d/);
  await expectToast('Updated');
  await expectAccessible();
  await snooze.selectOptions('Don’t snooze');
  await expect.element(snooze).toHaveValue('0');
  // No alerts come of a case that is not monitored.
  await openMore(ONE);
  await expect.element(button(`Edit tags of ${ONE}`)).toBeVisible();
  await expect.element(page.getByLabelText(`Snooze alerts of ${ONE}`)).not.toBeInTheDocument();
});
