import type { SavedCase } from '@casewatch/contracts/cases';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  openMore,
  settle,
  showApp,
  signedIn,
  tabToUndo,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'EAC9999103403';
const OTHER = 'EAC9999103404';
const card = () => page.getByRole('article', { name: NUMBER });
const toast = () => document.querySelector('.toast-card[data-state="open"]');

/** A saved case on the lookup page; removing and restoring it changes what is saved. */
async function showSavedResult(api: FakeApi): Promise<SavedCase[]> {
  const saved = [savedCase(NUMBER, { nickname: 'Mom' })];
  signedIn(api);
  keepsCases(api, saved);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  api.serves(endpoints.removeSavedCase, () => void saved.splice(0));
  await showApp('/');
  await page.getByLabelText('Receipt Number').fill(NUMBER);
  await button('Check Status').click();
  await expect.element(button('Saved')).toBeVisible();
  return saved;
}

test('a case that is unsaved on the lookup page is saved again by Undo, and the focus goes back', async ({
  api,
}) => {
  const saved = await showSavedResult(api);
  const changes = api.holds(endpoints.changeSavedCases);
  await button('Saved').click();
  await expect.element(button('Save')).toHaveFocus();
  await expectToast('Case removed', 'Case has been removed from your saved list');
  await tabToUndo();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes[0]?.body).toEqual({ action: 'restore', receiptNumbers: [NUMBER] });
  saved.push(savedCase(NUMBER, { nickname: 'Mom' }));
  changes[0]?.answer({ results: [{ receiptNumber: NUMBER, outcome: 'changed' }] });
  await expect.element(card().getByRole('button', { name: 'Saved' })).toHaveFocus();
});

test('an undo that another tab was faster with is done, and the case is shown as saved', async ({ api }) => {
  const saved = await showSavedResult(api);
  await button('Saved').click();
  await expectToast('Case removed');
  saved.push(savedCase(NUMBER));
  api.answers(endpoints.changeSavedCases, {
    results: [{ receiptNumber: NUMBER, outcome: 'unchanged' }],
  });
  await button('Undo').click();
  await expect.element(button('Saved')).toBeVisible();
  await settle();
  expect(toast()?.textContent ?? '').not.toContain('Couldn’t undo');
});

test('an undo on the lookup page after another tab used up the free limit says where the case is', async ({
  api,
}) => {
  await showSavedResult(api);
  await button('Saved').click();
  const error = 'Saving more than 3 cases is a Pro feature.';
  api.answers(endpoints.changeSavedCases, {
    results: [{ receiptNumber: NUMBER, outcome: 'refused', code: 'SAVED_CASE_LIMIT', error }],
  });
  await button('Undo').click();
  await expectToast('Couldn’t undo', `${error} You can find it under Recently removed in Saved Cases.`);
});

test.for(['pointer', 'focus'] as const)(
  'a toast with Undo stays while it has the %s',
  async (what, { api }) => {
    await showSavedResult(api);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    await button('Saved').click();
    await expectToast('Case removed');
    // It listens for pointer and focus a moment after it is drawn.
    await settle();
    if (what === 'pointer') await userEvent.hover(page.getByText('Case removed', { exact: true }));
    else await tabToUndo();
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(toast()?.textContent).toContain('Case removed');
    if (what === 'pointer') await userEvent.hover(page.getByRole('heading', { level: 1 }));
    else await userEvent.keyboard('{Shift>}{Tab}{Tab}{Tab}{/Shift}');
    await settle();
    await expect
      .poll(() => {
        vi.advanceTimersByTime(11_000);
        return toast();
      })
      .toBeNull();
  },
);

const ACTIONS: Record<string, () => Promise<void>> = {
  nickname: async () => {
    await button('Mom').click();
    await userEvent.keyboard('Dad{Enter}');
  },
  tags: async () => {
    if (page.getByRole('article').elements().length > 0) await openMore(NUMBER);
    await button(`Add tags of ${NUMBER}`).click();
    await userEvent.keyboard('Family{Enter}');
  },
  monitoring: async () => {
    await page.getByLabelText(`Monitoring frequency of ${NUMBER}`).selectOptions('Weekly');
  },
};
const SCREENS = {
  'case page': [`/cases/${NUMBER}`, () => page.getByText('Not saved yet')],
  card: ['/saved-cases', () => page.getByRole('article', { name: OTHER })],
} as const;

test.for(
  Object.keys(ACTIONS).flatMap((action) =>
    (['case page', 'card'] as const).map((screen) => [action, screen] as const),
  ),
)(
  'changing the %s on the %s of a case that another tab removed says so; the focus stays on the page',
  async ([action, screen], { api }) => {
    signedIn(api, PRO_USER);
    keepsCases(api, [savedCase(NUMBER, { nickname: 'Mom' }), savedCase(OTHER)]);
    api.answers(endpoints.lookUpCase, caseResult(NUMBER));
    api.serves(endpoints.listWatches, () => []);
    const [path, shows] = SCREENS[screen];
    await showApp(path);
    await expect.element(page.getByLabelText(`Monitoring frequency of ${NUMBER}`)).toBeVisible();
    keepsCases(api, [savedCase(OTHER)]);
    api.refuses(endpoints.changeSavedCase, 'SAVED_CASE_NOT_FOUND', 'This case is not in your saved list.');
    await ACTIONS[action]?.();
    await expectToast(
      'Couldn’t change',
      `${NUMBER} was removed in another tab or on another device. You can restore it from Recently removed.`,
    );
    await expect.element(page.getByLabelText(`Monitoring frequency of ${NUMBER}`)).not.toBeInTheDocument();
    await expect.element(shows()).toBeVisible();
    await expect.poll(() => document.querySelector('#main')?.contains(document.activeElement)).toBe(true);
  },
);

test('what another tab changed is shown in the editor, and saving replaces it', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NUMBER, { nickname: 'Mom' })]);
  await showApp('/saved-cases');
  await button('Mom').click();
  keepsCases(api, [savedCase(NUMBER, { nickname: 'Mother' })]);
  const channel = new BroadcastChannel('casewatch-changes');
  channel.postMessage([['saved-cases']]);
  channel.close();
  await expect
    .element(
      page.getByText('Changed in another tab or on another device to “Mother”. Saving will overwrite it.'),
    )
    .toBeVisible();
  await expect.element(page.getByLabelText(`Nickname of ${NUMBER}`)).toHaveValue('Mom');
});
