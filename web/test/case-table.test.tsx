import type {} from '@vitest/browser-playwright';
import { afterEach, expect } from 'vitest';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { keepTheme } from '../src/features/theme/theme.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import { casesPage, PRO_USER, savedCase } from './samples.ts';
import { inTable, number, row, serveProTable, serveWorkspace } from './serve-workspace.ts';

const SLOW_MACHINE_MS = 60_000;
const manyCases = (count: number) =>
  Array.from({ length: count }, (_, nth) =>
    savedCase(number(nth), {
      nickname: nth % 7 === 3 ? null : `Client ${nth}, whose name is rather long`,
      lastKnownStatus:
        nth % 60 === 5
          ? 'Request for Initial Evidence Was Sent'
          : nth % 4
            ? 'Case Was Received'
            : 'Case Was Approved',
      statusChangedAt: '2026-01-05T12:00:00.000Z',
      formType: 'I-485',
      tags: ['Family', 'Urgent', 'Boston'].slice(0, nth % 4),
      monitoringFrequency: nth % 2 ? 'daily' : 'none',
    }),
  );

afterEach(() => page.viewport(1280, 800));

/** Rows that are wholly between the headings of the columns and the end of the window. */
function rowsInView(): number {
  const top = document.querySelector('.case-table thead')?.getBoundingClientRect().bottom ?? Number.NaN;
  return [...document.querySelectorAll('.case-table tbody:not([aria-hidden]) tr')].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= top - 1 && box.bottom <= window.innerHeight;
  }).length;
}

test.for([
  [1280, 800, 14],
  [1920, 1080, 20],
] as const)(
  'at %i x %i px at least %i rows of the table are seen at once',
  async ([width, height, least], { api }) => {
    await page.viewport(width, height);
    serveProTable(api, manyCases(200));
    await showApp('/saved-cases');
    await expect.poll(rowsInView).toBeGreaterThanOrEqual(least);
    const heights = [...document.querySelectorAll('.case-table tbody tr')].map(
      (row) => row.getBoundingClientRect().height,
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...heights)).toBeLessThanOrEqual(44);
    await settle();
  },
);

test('the headings stay in view while the rows scroll, and the name while the columns do', async ({
  api,
}) => {
  serveProTable(api, manyCases(60));
  await showApp('/saved-cases');
  await expect.poll(rowsInView).toBeGreaterThan(0);
  window.scrollTo({ top: 600, behavior: 'instant' });
  await expect.poll(() => document.querySelector('thead th')?.getBoundingClientRect().top).toBe(56);
  window.scrollTo({ top: 0, behavior: 'instant' });
  await button('View').click();
  await page.getByRole('checkbox', { name: 'Last Checked' }).click();
  await page.getByRole('checkbox', { name: 'Date saved' }).click();
  await expect.element(page.getByRole('columnheader', { name: 'Date saved' })).toBeInTheDocument();
  await expect.poll(() => document.querySelector('.case-table-scrolled')).not.toBeNull();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1280);
  const name = () => document.querySelector('tbody th')?.getBoundingClientRect().left ?? Number.NaN;
  const before = name();
  document.querySelector('.case-table-area')?.scrollTo({ left: 100, behavior: 'instant' });
  await expect.poll(() => document.querySelector('.case-table-area')?.scrollLeft).toBeGreaterThan(0);
  // The table's own border scrolls.
  expect(Math.abs(name() - before)).toBeLessThanOrEqual(1);
});

test('density and columns are remembered on this device', async ({ api }) => {
  serveProTable(api, manyCases(8));
  const screen = await showApp('/saved-cases');
  await button('View').click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await page.getByRole('checkbox', { name: 'Form' }).click();
  await expectAccessible('view of the table');
  await userEvent.keyboard('{Escape}');
  await expect.element(button('View')).toHaveFocus();
  await screen.unmount();
  await showApp('/saved-cases');
  await expect.element(page.getByRole('columnheader', { name: 'Status' })).toBeVisible();
  await expect.element(page.getByRole('columnheader', { name: 'Form' })).not.toBeInTheDocument();
  expect(document.querySelector('tbody tr')?.getBoundingClientRect().height).toBe(36);
});

test('the next open date is a column, an order and a filter, and stands on the card', async ({ api }) => {
  const dated = (id: string, day: string, doneAt: string | null = null) =>
    ({ id, kind: 'respond-by', day, label: null, doneAt, setAt: '2026-01-01T00:00:00.000Z' }) as const;
  const dates = [dated('a', '2020-01-02', '2020-01-03T00:00:00.000Z'), dated('b', '2020-02-03')];
  const cases = [
    savedCase(number(1), { dates }),
    savedCase(number(2), { dates: [dated('c', '2999-12-24')] }),
    savedCase(number(3)),
  ];
  serveProTable(api, cases);
  const queries: object[] = [];
  api.serves(endpoints.listSavedCasesPage, ({ query }) => {
    queries.push(query);
    return casesPage(cases);
  });
  await showApp('/saved-cases');
  await button('View').click();
  await page.getByRole('checkbox', { name: 'Next date' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(row(number(1))).toMatchTextContent('Feb 3, 2020 (passed)');
  await expect.element(row(number(2))).toMatchTextContent('Dec 24, 2999');
  await expectAccessible('table with dates');
  await page.getByLabelText('Sort by').selectOptions('Next date, soonest first');
  await button('Filters').click();
  await page.getByLabelText('Next date', { exact: true }).selectOptions('Within 7 days');
  const asked = { sort: 'date', order: 'asc', dateUntil: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
  await expect.poll(() => queries.at(-1)).toMatchObject(asked);
  await button('Cards').click();
  const card = page.getByRole('article', { name: number(1) });
  await expect.element(card).toMatchTextContent('Respond by: Feb 3, 2020 (passed)');
});

test('what is rarely done with a case is in the menu of its row, also by keyboard', async ({ api }) => {
  serveProTable(api, [savedCase(number(1), { monitoringFrequency: 'daily' }), ...manyCases(1)]);
  const reason = 'The agency is limiting requests right now.';
  api.answers(endpoints.listWatches, [
    {
      receiptNumber: number(1),
      frequency: 'daily',
      lastCheckedAt: null,
      nextCheckAt: '2030-01-06T15:00:00.000Z',
      late: { code: 'AGENCY_BUSY', reason },
    },
  ]);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  const actions = button(`Actions for ${number(1)}`);
  await expect.element(page.getByText('Daily · late')).toBeVisible();
  actions.element().focus();
  await userEvent.keyboard('{Enter}');
  const menu = page.getByRole('menu', { name: `Actions for ${number(1)}` });
  await expect.element(menu).toMatchTextContent(reason);
  await expect.element(menu.getByRole('menuitem', { name: 'Check now' })).toHaveFocus();
  await expectAccessible('menu of a row');
  await userEvent.keyboard('{Escape}');
  await expect.element(actions).toHaveFocus();
  await userEvent.keyboard('{Enter}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(() => changes[0]?.body?.snoozedUntil).toMatch(/^\d{4}-/);
  changes[0]?.answer(savedCase(number(1)));
  await expectToast('Updated');
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  await expect.element(page.getByPlaceholder('Add a nickname...')).toHaveFocus();
  await userEvent.keyboard('Mom{Enter}');
  await expect.poll(() => changes[1]?.body).toEqual({ nickname: 'Mom' });
  changes[1]?.answer(savedCase(number(1), { nickname: 'Mom' }));
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(actions).toHaveFocus();
});

test('a nickname with tags is named as it is written when its case is to be removed', async ({ api }) => {
  serveProTable(api, [savedCase(number(0), { nickname: '<b>Ana</b> <x/>' })]);
  await showApp('/saved-cases');
  await button(`Actions for ${number(0)}`).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const words = `<b>Ana</b> <x/> (${number(0)}) will be removed from your saved list.`;
  await expect.element(page.getByText(words)).toBeVisible();
});

test('a case is removed from the menu of its row', async ({ api }) => {
  const cases = manyCases(3);
  serveProTable(api, cases);
  api.serves(endpoints.removeSavedCase, () => void cases.shift());
  await showApp('/saved-cases');
  await button(`Actions for ${number(0)}`).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast('Case removed');
  await expect.element(page.getByRole('checkbox', { name: `Select ${number(0)}` })).not.toBeInTheDocument();
  await settle();
  expect(document.activeElement).not.toBe(document.body);
});

test(
  'what an office does each day takes a few clicks among 200 cases',
  async ({ api }) => {
    signedIn(api, PRO_USER);
    inTable();
    const cases = manyCases(200).map((one, nth) => ({
      ...one,
      lastKnownStatus: nth % 70 === 5 ? 'Request for Initial Evidence Was Sent' : 'Case Was Received',
      needsAction: nth % 70 === 5,
    }));
    const { changes } = serveWorkspace(api, cases, 200);
    const whole = casesPage(cases);
    api.serves(endpoints.listSavedCasesPage, ({ query }) =>
      query.needsAction === 'true' ? casesPage(cases.filter((one) => one.needsAction)) : whole,
    );
    const reason = 'The agency is limiting requests right now.';
    api.answers(endpoints.listWatches, [
      {
        receiptNumber: number(1),
        frequency: 'daily',
        lastCheckedAt: null,
        nextCheckAt: '2030-01-06T15:00:00.000Z',
        late: { code: 'AGENCY_BUSY', reason },
      },
    ]);
    api.serves(endpoints.changeSavedCase, ({ params }) => savedCase(params.receiptNumber ?? ''));
    const clicks = { find: 0, snooze: 0, late: 0, tag: 0, undo: 0 };
    const click = async (task: keyof typeof clicks, what: Locator, modifiers: 'Shift'[] = []) => {
      clicks[task] += 1;
      await what.click({ modifiers });
    };
    const rows = () => document.querySelectorAll('.case-table tbody tr').length;
    await showApp('/saved-cases');
    await expect.poll(rows).toBe(200);

    await click('late', button(`Actions for ${number(1)}`));
    await expect.element(page.getByText(reason)).toBeVisible();
    await userEvent.keyboard('{Escape}');

    await click('snooze', button(`Actions for ${number(3)}`));
    await click('snooze', page.getByRole('menuitem', { name: 'For a week' }));
    await expectToast('Updated');

    await click('tag', page.getByRole('checkbox', { name: `Select ${number(0)}` }));
    await click('tag', page.getByRole('checkbox', { name: `Select ${number(9)}` }), ['Shift']);
    await expect.element(page.getByText('10 cases selected')).toBeVisible();
    await click('tag', button('Tag'));
    await click('tag', button('Add Boston'));
    await expect.element(page.getByText(/Tag added/)).toBeVisible();
    expect(changes[0]).toMatchObject({ action: 'addTags', tags: ['Boston'] });
    expect(changes[0]?.receiptNumbers).toHaveLength(10);
    await click('undo', button('Undo'));
    await expect.poll(() => changes.some(({ action }) => action === 'removeTags')).toBe(true);
    await expect.element(page.getByText(/Tag added/)).not.toBeInTheDocument();
    await click('find', page.getByRole('checkbox', { name: 'Needs action (3)' }));
    await expect.poll(rows).toBe(3);
    expect(clicks).toEqual({ find: 1, snooze: 2, late: 1, tag: 4, undo: 1 });
  },
  SLOW_MACHINE_MS,
);

test.for([320, 390])(
  'at %i px the bar of the selected cases is at the bottom, and no toast covers it',
  { timeout: SLOW_MACHINE_MS },
  async (width, { api }) => {
    await page.viewport(width, 800);
    signedIn(api, PRO_USER);
    serveWorkspace(api, manyCases(12));
    api.refuses(endpoints.changeSavedCases, 'UNAVAILABLE');
    await showApp('/saved-cases');
    await page.getByRole('checkbox', { name: `Select ${number(0)}` }).click();
    const bar = () => document.querySelector('.bulk-bar')?.getBoundingClientRect();
    await expect.poll(() => bar()?.bottom).toBeGreaterThan(760);
    expect(bar()?.height).toBeLessThanOrEqual(96);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
    await button('Monitor').click();
    await page.getByRole('menuitem', { name: 'Weekly' }).click();
    await expectToast('Error');
    const toast = document.querySelector('.toast-card')?.getBoundingClientRect();
    expect(toast?.bottom).toBeLessThan(bar()?.top ?? 0);
  },
);

test.for([
  [320, 'es'],
  [600, 'en'],
  [768, 'en'],
  [1024, 'en'],
] as const)(
  'at %i px everything that can be done with the selected cases is in the window (%s)',
  { timeout: SLOW_MACHINE_MS },
  async ([width, language], { api }) => {
    await page.viewport(width, 800);
    signedIn(api, PRO_USER);
    serveWorkspace(api, manyCases(60), 50);
    await showApp('/saved-cases');
    await page.getByRole('checkbox', { name: `Select ${number(0)}` }).click();
    await expect.element(button('Select all 60 matching')).toBeVisible();
    await showLanguage(language);
    const boxes = [...document.querySelectorAll('.bulk-bar button')].map((one) =>
      one.getBoundingClientRect(),
    );
    expect(boxes).toHaveLength(7);
    expect(Math.min(...boxes.map(({ left }) => left))).toBeGreaterThanOrEqual(width < 768 ? 0 : 256);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(width);
    expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(800);
    await showLanguage('en');
  },
);

test('a nickname that is added in the table leaves the focus in its row', async ({ api }) => {
  const cases = manyCases(6);
  serveProTable(api, cases);
  api.serves(endpoints.changeSavedCase, () => {
    const named = savedCase(number(3), { nickname: 'Mom' });
    cases[3] = named;
    return named;
  });
  await showApp('/saved-cases');
  await button(`Add nickname to ${number(3)}`).click();
  await expect.element(page.getByPlaceholder('Add a nickname...')).toHaveFocus();
  await userEvent.keyboard('Mom{Enter}');
  await expect.element(page.getByRole('link', { name: 'Mom' })).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(button(`Actions for ${number(3)}`)).toHaveFocus();
});

test(
  'the menu of a row that scrolls far out of view closes, and the focus stays among the cases',
  async ({ api }) => {
    serveProTable(api, manyCases(600), 600);
    await showApp('/saved-cases');
    await button(`Actions for ${number(0)}`).click();
    await expect.element(page.getByRole('menu')).toBeVisible();
    for (const top of [3_000, 6_000, 6_100]) {
      window.scrollTo({ top, behavior: 'instant' });
      await settle();
    }
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(page.getByRole('region', { name: 'Cases', exact: true })).toHaveFocus();
  },
  SLOW_MACHINE_MS,
);

test('what gets the focus is not behind the name while the columns are scrolled', async ({ api }) => {
  await page.viewport(900, 800);
  serveProTable(api, manyCases(6));
  await showApp('/saved-cases');
  await expect.poll(() => document.querySelector('.case-table-scrolled')).not.toBeNull();
  document.querySelector('.case-table-scrolled')?.scrollTo({ left: 130, behavior: 'instant' });
  page
    .getByRole('checkbox', { name: `Select ${number(0)}` })
    .element()
    .focus();
  await userEvent.keyboard('{Tab}{Tab}');
  const link = page.getByRole('link', { name: number(0), exact: true });
  await expect.element(link).toHaveFocus();
  const name = document.querySelector('tbody th')?.getBoundingClientRect().right ?? Number.NaN;
  await expect.poll(() => link.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(name);
});

test('tags that are typed for many cases are parted by commas, as on one case', async ({ api }) => {
  const { changes } = serveProTable(api, manyCases(6));
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: `Select ${number(0)}` }).click();
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Smith, John');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes[0]).toMatchObject({ action: 'addTags', tags: ['Smith', 'John'] });
});

test(
  'on paper are whose cases they are, the day, and every case that was read',
  async ({ api, onTestFinished }) => {
    serveProTable(api, manyCases(501), 501);
    await showApp('/saved-cases');
    await expect.poll(rowsInView).toBeGreaterThan(0);
    onTestFinished(async () => void (await cdp().send('Emulation.setEmulatedMedia', { media: '' })));
    await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
    window.dispatchEvent(new Event('beforeprint'));
    await expect.poll(() => document.querySelectorAll('.case-table tbody tr').length).toBe(501);
    await expect.element(page.getByText(/^Ada Lovelace, printed on \w{3} \d{1,2}, \d{4}$/)).toBeVisible();
    const seen = [
      '.sidebar',
      '.app-header',
      '.workspace-tools',
      '.page-heading-actions',
      '.case-table-menu',
    ].filter((one) => document.querySelector<HTMLElement>(one)?.offsetParent);
    expect(seen).toEqual([]);
    const tags = document.querySelector<HTMLElement>('tr[data-index="3"] .case-table-tags');
    expect(tags?.innerText).toBe('Family, Urgent, Boston');
    window.dispatchEvent(new Event('afterprint'));
    await expect.poll(() => document.querySelectorAll('.case-table tbody tr').length).toBeLessThan(100);
  },
  SLOW_MACHINE_MS,
);

test('a long nickname leaves all columns on the paper, whose links are as dark as in the light theme', async ({
  api,
  onTestFinished,
}) => {
  signedIn(api, PRO_USER);
  inTable();
  keepTheme('dark');
  const [one] = manyCases(1);
  serveWorkspace(api, one ? [{ ...one, nickname: 'W'.repeat(60) }] : []);
  await page.viewport(740, 800);
  await showApp('/saved-cases');
  await expect.poll(() => document.querySelector('.case-table')).not.toBeNull();
  onTestFinished(async () => {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
    await page.viewport(1280, 800);
    keepTheme('light');
  });
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  const link = page.getByRole('link', { name: number(0) });
  await expect.poll(() => getComputedStyle(link.element()).color).toBe('rgb(11, 93, 87)');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(740);
});
