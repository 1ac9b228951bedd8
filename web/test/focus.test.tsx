import type { SavedCase } from '@casewatch/contracts/cases';
import { vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, FREE_USER, PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';

const [NEWER, OLDER] = ['WAC0000000004', 'WAC0000000002'];
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

test('after a case is removed the focus is on the list, and on the notice in its place when it was the last one', async ({
  api,
}) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER), savedCase(OLDER)]);
  api.answers(endpoints.removeSavedCase, undefined);
  await showApp('/saved-cases');
  const list = page.getByRole('list', { name: 'Saved Cases' });
  const notice = () => page.getByText('No saved cases yet').element();
  const removals: [string, SavedCase[], () => Element | null | undefined][] = [
    [NEWER, [savedCase(OLDER)], () => list.element()],
    [OLDER, [], () => notice().closest('.saved-cases-message')],
  ];
  for (const [receiptNumber, left, place] of removals) {
    await button(`Remove ${receiptNumber}`).click();
    keepsCases(api, left);
    await button('Remove').click();
    await expectToast('Case removed');
    await expect.element(page.getByRole('article', { name: receiptNumber })).not.toBeInTheDocument();
    await settle();
    await expect.poll(() => document.activeElement).toBe(place());
  }
});

test('a list that was empty from the start leaves the focus on the heading', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await settle();
  await expect.element(heading('Saved Cases')).toHaveFocus();
});

test('after signing out the focus is on the heading of the landing page, at the start', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NEWER));
  api.answers(endpoints.logOut, { ok: true });
  await showApp(`/cases/${NEWER}`);
  await expect.element(heading(NEWER)).toBeVisible();
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.element(heading('Track Your Immigration Case with Confidence')).toHaveFocus();
});

test('on a direct load the heading of the screen has the focus', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  await expect.element(heading('Saved Cases')).toHaveFocus();
});

test('after a notice is closed the focus is on the heading of the screen', async ({ api }) => {
  signedIn(api, { ...FREE_USER, emailVerified: false });
  await showApp('/saved-cases');
  await button('Close the notice').click();
  await expect.element(button('Close the notice')).not.toBeInTheDocument();
  await expect.element(heading('Saved Cases')).toHaveFocus();
});

test('a check without a connection says what is wrong and what to do', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER)]);
  api.loses(endpoints.lookUpCase);
  await showApp('/saved-cases');
  await button('Check now').click();
  await expectToast(
    'Error',
    'Failed to fetch case status. Please try again. Check your internet connection.',
  );
});

test('a check that the agency refuses says so in its own words, too', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER)]);
  const agencyMessage = 'Open at <b>7:00 AM</b>';
  api.responds(endpoints.lookUpCase, 503, { error: 'Closed.', code: 'AGENCY_UNAVAILABLE', agencyMessage });
  await showApp('/saved-cases');
  await button('Check now').click();
  await expect.element(page.getByText(agencyMessage, { exact: true })).toBeVisible();
  await expect.element(page.getByText(/^USCIS says:/)).toBeVisible();
});

test('a check during which the connection is lost says so, and the next one waits for the connection', async ({
  api,
}) => {
  const online = vi.spyOn(navigator, 'onLine', 'get');
  try {
    signedIn(api);
    keepsCases(api, [savedCase(NEWER)]);
    const checks = api.holds(endpoints.lookUpCase);
    await showApp('/saved-cases');
    await button('Check now').click();
    await expect.poll(() => checks.length).toBe(1);
    online.mockReturnValue(false);
    checks[0]?.lose();
    await expectToast(
      'Error',
      'Failed to fetch case status. Please try again. This device is offline. This will not update until you are back online.',
    );
    window.dispatchEvent(new Event('offline'));
    await expect.element(button('Check now')).toHaveAttribute('aria-disabled', 'true');
    await expect
      .element(button('Check now'))
      .toHaveAccessibleDescription('You are offline. This needs a connection.');
  } finally {
    online.mockRestore();
    window.dispatchEvent(new Event('online'));
  }
});

/** Each takes its own element off the screen; what it returns has the focus afterwards. */
const ACTIONS: Record<string, (api: FakeApi) => Promise<Locator>> = {
  'the selection is cleared': async (api) => {
    serveWorkspace(api, [savedCase(NEWER)]);
    await showApp('/saved-cases');
    await page.getByRole('checkbox', { name: `Select ${NEWER}` }).click();
    await button('Clear selection').click();
    await expect.element(button('Clear selection')).not.toBeInTheDocument();
    return page.getByRole('region', { name: 'Cases', exact: true });
  },
  'the filters are cleared': async (api) => {
    serveWorkspace(api, [savedCase(NEWER)]);
    await showApp('/saved-cases?tag=Family');
    await page.getByText('Filters (1 applied)').click();
    await button('Clear filters').click();
    await expect.element(button('Clear filters')).not.toBeInTheDocument();
    return page.getByText('Filters', { exact: true });
  },
  'the archive is shown instead of an empty list': async (api) => {
    serveWorkspace(api, [savedCase(NEWER, { archivedAt: '2026-02-01T12:00:00.000Z' })]);
    await showApp('/saved-cases');
    await button('Show the archive').click();
    await expect.element(page.getByRole('article', { name: NEWER })).toBeVisible();
    return page.getByRole('region', { name: 'Cases', exact: true });
  },
  'saved cases that could not be loaded are asked for again': async (api) => {
    api.refuses(endpoints.listSavedCasesPage, 'UNAVAILABLE');
    await showApp('/saved-cases');
    const again = button('Try again');
    await expect.element(again).toBeVisible();
    serveWorkspace(api, [savedCase(NEWER)]);
    await again.click();
    await expect.element(page.getByRole('article', { name: NEWER })).toBeVisible();
    return heading('Saved Cases');
  },
  'removed cases that could not be loaded are asked for again': async (api) => {
    serveWorkspace(api, [savedCase(NEWER)]);
    api.refuses(endpoints.listRemovedCases, 'UNAVAILABLE');
    await showApp('/saved-cases');
    await button('Recently removed').click();
    const again = page.getByRole('dialog').getByRole('button', { name: 'Try again' });
    await expect.element(again).toBeVisible();
    api.answers(endpoints.listRemovedCases, []);
    await again.click();
    await expect.element(page.getByText('Nothing was removed in the last 30 days.')).toBeVisible();
    return page.getByRole('list', { name: 'Removed cases' });
  },
  'a case without an answer is asked for again': async (api) => {
    api.refuses(endpoints.lookUpCase, 'AGENCY_UNAVAILABLE');
    await showApp(`/cases/${NEWER}`);
    const again = button('Try again');
    await expect.element(again).toBeVisible();
    api.answers(endpoints.lookUpCase, caseResult(NEWER));
    await again.click();
    await expect.element(page.getByText('Not saved yet')).toBeVisible();
    return heading(NEWER);
  },
};

test.for(Object.keys(ACTIONS))('when %s, the focus is where the work continues', async (action, { api }) => {
  signedIn(api, PRO_USER);
  const place = await ACTIONS[action]?.(api);
  if (!place) throw new Error(`no action ${action}`);
  await expect.element(place).toHaveFocus();
});

/** Each is done with the keyboard; it returns the button that was pressed, and answers with a failure. */
const FAILURES: Record<string, (api: FakeApi) => Promise<[Locator, () => void]>> = {
  'signing in': async (api) => {
    api.refuses(endpoints.getMe, 'SIGNED_OUT');
    const logIns = api.holds(endpoints.logIn);
    await showApp('/auth');
    await page.getByLabelText('Email').fill('ada@example.test');
    await page.getByLabelText('Password').fill('a password');
    return [button(/^Sign(ing)? in/i), () => logIns[0]?.refuse('INVALID_CREDENTIALS')];
  },
  'changing the profile': async (api) => {
    const changes = api.holds(endpoints.changeProfile);
    await showApp('/profile');
    await button('Edit name and role').click();
    return [button(/^Sav(e changes|ing\.\.\.)$/), () => changes[0]?.refuse('UNAVAILABLE')];
  },
  'asking for a new password': async (api) => {
    api.refuses(endpoints.getMe, 'SIGNED_OUT');
    const requests = api.holds(endpoints.requestPasswordReset);
    await showApp('/forgot-password');
    await page.getByLabelText('Email').fill('ada@example.test');
    return [button(/^Send/), () => requests[0]?.refuse('UNAVAILABLE')];
  },
};

test.for(Object.keys(FAILURES))(
  'when %s fails, the pressed button has the focus',
  async (action, { api }) => {
    signedIn(api);
    const [pressed, fail] = (await FAILURES[action]?.(api)) ?? [];
    if (!pressed || !fail) throw new Error(`no action ${action}`);
    await expect.element(pressed).toBeVisible();
    (pressed.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(pressed).toBeDisabled();
    await settle();
    fail();
    await expect.element(pressed).toBeEnabled();
    await expect.element(pressed).toHaveFocus();
  },
);
