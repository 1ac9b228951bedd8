import { afterEach, expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { CHANGES_CHANNEL } from '../src/api/data-changes.ts';
import * as endpoints from '../src/api/endpoints.ts';
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
import type { FakeApi } from './fake-api.ts';
import { casesPage, PRO_USER, savedCase } from './samples.ts';
import {
  check,
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

const IN_30_DAYS = new Date(Date.now() + 30 * 86_400_000).toISOString();

test('many cases are archived at once; the focus is on the result, and Undo brings them back', async ({
  api,
}) => {
  const { changes } = serveProTable(api, three());
  await showApp('/saved-cases');
  await check(ONE).click();
  await check(THREE).click();
  await expect.element(page.getByText('2 cases selected')).toBeVisible();
  await expectAccessible();
  await choose('More', 'Archive');
  await expect.element(outcome()).toMatchTextContent('Archived: 2 cases updated');
  await expect.element(outcome()).toHaveFocus();
  await expect.element(row(ONE)).not.toBeInTheDocument();
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectToast('Undone for 2 cases');
  await expect.element(outcome()).not.toBeInTheDocument();
  await expect.element(row(ONE)).toBeVisible();
  expect(changes).toEqual([
    { action: 'archive', receiptNumbers: [ONE, THREE] },
    { action: 'unarchive', receiptNumbers: [ONE, THREE] },
  ]);
  expect(document.activeElement).not.toBe(document.body);
});

test('many cases are snoozed by keyboard, and Undo brings back what each had', async ({ api }) => {
  signedIn(api, PRO_USER);
  const until = new Date(Date.now() + 200 * 86_400_000).toISOString();
  const { changes } = serveWorkspace(api, [
    savedCase(ONE, { monitoringFrequency: 'daily' }),
    savedCase(TWO, { monitoringFrequency: 'daily', snoozedUntil: until }),
  ]);
  await showApp('/saved-cases');
  await openMore(ONE);
  await button('Select all shown').click();
  for (const width of [320, 1280]) {
    await page.viewport(width, 800);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  }
  button('Snooze').element().focus();
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  await expect.element(outcome()).toHaveFocus();
  await expect.element(outcome()).toMatchTextContent(/Snoozed until .*2 cases updated/);
  const snoozed = page.getByLabelText(`Snooze alerts of ${ONE}`);
  await expect.element(snoozed).toHaveValue('snoozed');
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectToast('Undone for 2 cases');
  await expect.element(snoozed).toHaveValue('0');
  expect(changes).toMatchObject([
    { action: 'snooze', receiptNumbers: [ONE, TWO] },
    { action: 'snooze', receiptNumbers: [ONE], snoozedUntil: null },
    { action: 'snooze', receiptNumbers: [TWO], snoozedUntil: until },
  ]);
});

test('Undo brings back what the cases had before the last change, also where they are not shown', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  const cases = [...three(), savedCase(number(4), { archivedAt: '2026-02-01T12:00:00.000Z' })];
  const { changes } = serveWorkspace(api, cases);
  api.serves(endpoints.changeSavedCase, ({ params, body: { monitoringFrequency = 'none' } }) => {
    const at = cases.findIndex(({ receiptNumber }) => receiptNumber === params.receiptNumber);
    cases[at] = savedCase(params.receiptNumber ?? '', { monitoringFrequency });
    return cases[at];
  });
  await showApp('/saved-cases');
  await button('Select all shown').click();
  await page.getByLabelText(`Monitoring frequency of ${THREE}`).selectOptions('Monthly');
  await expectToast('Updated');

  await choose('Monitor', 'Weekly');
  await expect.element(outcome()).toMatchTextContent('Monitoring changed: 3 cases updated');
  const set = (monitoringFrequency: string, receiptNumbers: string[]) => ({
    action: 'setFrequency',
    monitoringFrequency,
    receiptNumbers,
    ...(monitoringFrequency === 'none' ? {} : { evenIfPaused: true }),
  });
  await button('Undo').click();
  await expectToast('Undone for 3 cases');
  expect(changes.slice(1)).toEqual([set('none', [ONE]), set('daily', [TWO]), set('monthly', [THREE])]);

  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabelText(/^Archived/).click();
  await expect.element(page.getByText('1 case in the archive')).toBeVisible();
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Work');
  await button('Add tag').click();
  await expect.element(outcome()).toMatchTextContent('Tag added');
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Work');
  await button('Remove tag').click();
  await expect.element(outcome()).toMatchTextContent('Tag removed');
  await button('Undo').click();
  await expectToast('Undone for 3 cases');
  expect(changes.at(-1)).toEqual({ action: 'addTags', tags: ['Work'], receiptNumbers: [ONE, TWO, THREE] });
});

test('a change that part of the cases refuse says why for each', async ({ api }) => {
  serveProTable(api, three());
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
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Family');
  await button('Add tag').click();
  await expect.element(outcome()).toMatchTextContent('1 case updated, 1 unchanged, 1 failed');
  await expect.element(outcome()).toMatchTextContent(`${TWO} A case can have at most 10 tags.`);
  await button('Close the result').click();
  await expect.element(region()).toHaveFocus();
});

test('a change that no case took is not called done', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, [savedCase(ONE)]);
  const error = 'A case can have at most 10 tags.';
  api.answers(endpoints.changeSavedCases, {
    results: [{ receiptNumber: ONE, outcome: 'refused', code: 'VALIDATION', error }],
  });
  await showApp('/saved-cases');
  await check(ONE).click();
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Family');
  await button('Add tag').click();
  await expect
    .element(outcome())
    .toMatchTextContent(`Couldn’t change: 0 cases updated, 1 failed${ONE} ${error}`);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

afterEach(() => page.viewport(1280, 800));

test.for([
  [1280, 720],
  [320, 640],
] as const)('a toast does not cover the actions, at %i px', async ([width, height], { api }) => {
  await page.viewport(width, height);
  await expect.poll(() => window.innerWidth).toBe(width);
  signedIn(api, PRO_USER);
  const cases = Array.from({ length: 12 }, (_, nth) => savedCase(number(nth)));
  serveWorkspace(api, cases);
  await showApp('/saved-cases');
  await button('Select all shown').click();
  await button('Tag').click();
  await page.getByLabelText('Tag for the selected cases').fill('Family');
  await button('Add tag').click();
  await button('Undo').click();
  await expect.poll(() => document.querySelector('.toast-card')).not.toBeNull();
  await expect.poll(() => isUnderToast('.bulk-bar')).toBe(false);
  window.scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: 'instant' });
  expect(document.querySelector('.bulk-bar')?.getBoundingClientRect().top).toBeGreaterThan(0);
  expect(isUnderToast('.bulk-bar'), 'after scrolling').toBe(false);
});

function isUnderToast(selector: string): boolean {
  const [toast, part] = ['.toast-card', selector].map((one) =>
    document.querySelector(one)?.getBoundingClientRect(),
  );
  if (!toast || !part) throw new Error(`no toast, or no ${selector}`);
  return toast.top < part.bottom && part.top < toast.bottom && toast.left < part.right;
}

/** Shows and selects one case more than a change of many cases takes; returns the changes that are sent. */
async function selectMoreThanOnePart(api: FakeApi) {
  serveProTable(
    api,
    Array.from({ length: 501 }, (_, nth) => savedCase(number(nth))),
    501,
  );
  const changes = api.holds(endpoints.changeSavedCases);
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  return changes;
}

test('a change that fails half way says which cases it reached, and Undo takes those back', async ({
  api,
}) => {
  const changes = await selectMoreThanOnePart(api);
  await choose('Monitor', 'Weekly');
  await expect.poll(() => changes.length).toBe(1);
  const first = changes[0]?.body?.receiptNumbers ?? [];
  changes[0]?.answer({ results: first.map((receiptNumber) => ({ receiptNumber, outcome: 'changed' })) });
  await expect.poll(() => changes.length).toBe(2);
  changes[1]?.lose();
  await expect.element(outcome()).toMatchTextContent('500 cases updated, 1 failed');
  await expect
    .element(outcome())
    .toMatchTextContent(`${number(500)} The change was not confirmed. Check your connection and try again.`);
  await button('Undo').click();
  await expect.poll(() => changes.length).toBe(3);
  expect(changes[2]?.body).toMatchObject({ monitoringFrequency: 'none', receiptNumbers: first });
});

test('cases that an archiving did not reach stay selected, so that it can be tried again', async ({
  api,
}) => {
  const changes = await selectMoreThanOnePart(api);
  await choose('More', 'Archive');
  await expect.poll(() => changes.length).toBe(1);
  const first = changes[0]?.body?.receiptNumbers ?? [];
  changes[0]?.answer({ results: first.map((receiptNumber) => ({ receiptNumber, outcome: 'changed' })) });
  await expect.poll(() => changes.length).toBe(2);
  changes[1]?.lose();
  await expect.element(outcome()).toMatchTextContent('Archived: 500 cases updated, 1 failed');
  await expect.element(page.getByText('1 case selected')).toBeVisible();
  await choose('More', 'Archive');
  await expect.poll(() => changes[2]?.body).toEqual({ action: 'archive', receiptNumbers: [number(500)] });
});

test('a change that fails half way because the session has ended shows no result', async ({ api }) => {
  const changes = await selectMoreThanOnePart(api);
  await choose('More', 'Archive');
  await expect.poll(() => changes.length).toBe(1);
  changes[0]?.answer({ results: [{ receiptNumber: number(0), outcome: 'changed' }] });
  await expect.poll(() => changes.length).toBe(2);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  changes[1]?.refuse('SIGNED_OUT');
  await expectToast('Error', 'The cases could not be changed. Please try again in a moment.');
  await expect.element(outcome()).not.toBeInTheDocument();
});

test('selected cases are checked ten at a time, and each that failed says why', async ({ api }) => {
  serveProTable(
    api,
    Array.from({ length: 12 }, (_, nth) => savedCase(number(nth))),
  );
  const asked: string[][] = [];
  api.serves(endpoints.lookUpCases, ({ body }) => {
    asked.push(body.receiptNumbers);
    return body.receiptNumbers.map((receiptNumber, nth) =>
      nth === 1
        ? { success: false, receiptNumber, error: 'Busy.', agencyMessage: 'Spike Arrest' }
        : { success: true, receiptNumber },
    );
  });
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await button('Check now').click();
  await expect.element(outcome()).toMatchTextContent('10 cases updated, 2 failed');
  await expect.element(outcome()).toMatchTextContent(/Busy\. ?USCIS says: Spike Arrest/);
  expect(asked.map((numbers) => numbers.length)).toEqual([10, 2]);
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

test('with the arrow keys a snooze is chosen first and saved once', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, [savedCase(ONE, { monitoringFrequency: 'daily' })]);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await openMore(ONE);
  const select = page.getByLabelText(`Snooze alerts of ${ONE}`);
  await expect.element(select).toBeVisible();
  const element = select.element() as HTMLSelectElement;
  element.focus();
  for (const days of ['7', '30', '90']) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    await userEvent.selectOptions(element, days);
  }
  await expect.element(page.getByText('Press Enter to save')).toBeVisible();
  await expectAccessible();
  expect(changes).toHaveLength(0);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes.length).toBe(1);
  const days = (Date.parse(changes[0]?.body?.snoozedUntil ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
});

test('a snooze shows at once and goes back when it could not be kept; the last of several counts', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  const cases = [savedCase(ONE, { monitoringFrequency: 'daily' })];
  serveWorkspace(api, cases);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await openMore(ONE);
  const select = page.getByLabelText(`Snooze alerts of ${ONE}`);
  await select.selectOptions('For 30 days');
  await expect.poll(() => changes.length).toBe(1);
  await expect.element(select).toHaveValue('30');
  await select.selectOptions('Don’t snooze');
  await expect.element(select).toHaveValue('0');
  await settle();
  expect(changes).toHaveLength(1);
  const snoozed = savedCase(ONE, { monitoringFrequency: 'daily', snoozedUntil: IN_30_DAYS });
  cases.splice(0, 1, snoozed);
  changes[0]?.answer(snoozed);
  await expect.poll(() => changes[1]?.body).toEqual({ snoozedUntil: null });
  await expect.element(select).toHaveValue('0');
  changes[1]?.refuse('UNAVAILABLE');
  await expectToast('Error', 'Failed to snooze this case');
  await expect.element(select).toHaveValue('snoozed');
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

test('all that was removed is restored at once', async ({ api }) => {
  signedIn(api);
  const { changes, removed } = serveWorkspace(api, []);
  removed.push(savedCase(ONE), savedCase(TWO));
  await showApp('/saved-cases');
  await button('Recently removed').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Restore all' }).click();
  await expect.element(dialog.getByText('2 cases restored.')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Restore all' })).not.toBeInTheDocument();
  expect(changes).toEqual([{ action: 'restore', receiptNumbers: [ONE, TWO] }]);
});

test('a selected case that is removed by itself is not selected any more', async ({ api }) => {
  signedIn(api);
  const cases = three();
  serveWorkspace(api, cases);
  api.serves(endpoints.removeSavedCase, () => void cases.shift());
  await showApp('/saved-cases');
  await button('Select all shown').click();
  await expect.element(page.getByText('3 cases selected')).toBeVisible();
  await button(`Remove ${ONE}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast('Case removed');
  await expect.element(page.getByText('2 cases selected')).toBeVisible();
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
  await expectToast('Couldn’t undo', `${error} You can restore 1 case from Recently removed.`);
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
    'Couldn’t change',
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

test('a change in this tab reaches the other tabs', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(ONE)]);
  api.answers(endpoints.changeSavedCase, savedCase(ONE, { tags: ['Family'] }));
  const channel = new BroadcastChannel(CHANGES_CHANNEL);
  const received: unknown[] = [];
  channel.onmessage = ({ data }) => received.push(data);
  await showApp('/saved-cases');
  await openMore(ONE);
  await button(/Add tags/).click();
  await userEvent.keyboard('Family, family ,{Enter}');
  await expect.poll(() => received).toEqual([[['saved-cases']]]);
  channel.close();
});

/** Presses Tab until the element has the focus. */
async function tabTo(target: () => Locator, { back = false } = {}): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await userEvent.keyboard(back ? '{Shift>}{Tab}{/Shift}' : '{Tab}');
    if (target().query() === document.activeElement) return;
  }
  throw new Error('the Tab key does not lead there');
}

test('a case is found, checked off, archived and brought back with the keyboard alone', async ({ api }) => {
  const { changes } = serveProTable(api, three());
  await showApp('/saved-cases');
  await expect.element(row(ONE)).toBeVisible();
  await tabTo(() => page.getByLabelText('Search your cases'));
  await userEvent.keyboard('Mom{Enter}');
  await expect.poll(() => api.count(endpoints.listSavedCasesPage)).toBe(2);
  await expect.element(page.getByLabelText('Search your cases')).toHaveFocus();
  await tabTo(() => page.getByRole('button', { name: 'Status', exact: true }));
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('columnheader', { name: 'Status' }))
    .toHaveAttribute('aria-sort', 'ascending');
  await tabTo(() => check(ONE));
  await userEvent.keyboard(' ');
  await expect.element(page.getByText('1 case selected')).toBeVisible();
  await tabTo(() => button('More'), { back: true });
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  await expect.element(outcome()).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectToast('Undone for 1 case');
  await expect.element(region()).toHaveFocus();
  expect(changes.map(({ action }) => action)).toEqual(['archive', 'unarchive']);
});
