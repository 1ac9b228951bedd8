import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  expect,
  expectToast,
  pasteText,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import { caseResult, FREE_USER, historyEntry, PRO_USER, savedCase } from './samples.ts';

const FIRST = 'EAC9999103402';
const SECOND = 'EAC9999103404';

const field = () => page.getByLabelText('Receipt Number', { exact: true });
const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
async function ask(receiptNumber: string): Promise<void> {
  await field().fill(receiptNumber);
  await button('Check Status').click();
}

test('while the answer is on its way the button rests and the place of the card is kept', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.element(button('Checking...')).toBeDisabled();
  const results = page.getByRole('region', { name: 'Results' });
  await expect.element(results).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer(caseResult(FIRST));
  await expect.element(card(FIRST)).toBeVisible();
  await expect.element(results).toHaveAttribute('aria-busy', 'false');
  await expect.element(button('Check Status')).toBeEnabled();
});

test('on a phone the answer begins beneath the header, with status, days, meaning and Save on the first screen', async ({
  api,
}) => {
  signedIn(api, { ...FREE_USER, emailVerified: false });
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await showApp('/');
  await page.viewport(390, 844);
  await ask(FIRST);
  const days = card(FIRST).getByText('Time in this status');
  await expect.element(days).toBeVisible();
  const header = page.getByRole('banner').element().getBoundingClientRect();
  const results = page.getByRole('region', { name: 'Results' });
  const top = () => Math.round(results.element().getBoundingClientRect().top - header.bottom);
  await expect.poll(top).toBe(8);
  const badge = card(FIRST).getByText('Case Was Received', { exact: true }).first();
  const meaning = card(FIRST).element().querySelector('.case-summary p');
  expect(meaning?.textContent).toMatch(/^[^.]+\.$/);
  for (const part of [badge.element(), meaning, days.element(), button('Save').element()])
    expect(part?.getBoundingClientRect().bottom).toBeLessThan(600);
  await page.viewport(1280, 800);
});

test('the case before is hidden while another one is looked up, and stays while it is itself', async ({
  api,
}) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer(caseResult(FIRST));
  await expect.element(card(FIRST)).toBeVisible();

  await button('Check Status').click();
  await expect.poll(() => asked.length).toBe(2);
  await expect.element(button('Checking...')).toBeDisabled();
  await expect.element(card(FIRST)).toBeVisible();
  // Only the button says so: a line above would push the case down.
  expect(document.querySelector('.lookup-progress')).toBeNull();
  asked[1]?.answer(caseResult(FIRST, { caseStatus: 'Case Was Approved' }));
  await expect.element(card(FIRST)).toMatchTextContent(/Case Was Approved/);

  await ask(SECOND);
  await expect.poll(() => asked.length).toBe(3);
  await expect.element(button('Checking...')).toBeDisabled();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
  await expect.element(results()).toMatchTextContent(`Checking ${SECOND} with the agency...`);
  asked[2]?.answer(caseResult(SECOND));
  await expect.element(card(SECOND)).toBeVisible();
});

test('an answer that comes after its screen was left changes nothing', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.poll(() => asked.length).toBe(1);
  await page.getByTestId('nav-saved-cases').click();
  await expect.element(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
  expect(asked[0]?.aborted).toBe(true);
  await page.getByTestId('nav-home').click();
  asked[0]?.answer(caseResult(FIRST));
  await settle();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
});

test('the button waits for five characters; a wrong number is reported', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  await field().fill('EAC9');
  await expect.element(button('Check Status')).toBeDisabled();
  await field().fill('EAC99');
  await button('Check Status').click();
  await expect.element(page.getByText('Invalid receipt number format')).toBeVisible();
  await expect.element(field()).toHaveFocus();
  await expectAccessible();
  expect(api.count(endpoints.lookUpCase)).toBe(0);
});

test('the card shows every fact of the case, with dates as people write them', async ({ api }) => {
  signedIn(api);
  api.answers(
    endpoints.lookUpCase,
    caseResult(FIRST, {
      caseStatus: 'Case Was Denied',
      formType: 'I-485',
      applicationOrPetitionType: 'Application to Adjust Status',
      caseSubstatus: 'Decision',
      channelType: 'Online',
      caseCreationDate: '09-05-2023 14:28:46',
      caseLastUpdated: '2024-02-29',
      histCaseData: [
        historyEntry('Case Was Denied', '2024-02-29 10:00:00'),
        historyEntry('Case Was Received', 'the fifth of September', {
          withdrawnAt: '2024-03-01T12:00:00.000Z',
        }),
      ],
    }),
  );
  await showApp('/');
  await ask(FIRST);
  await expect.element(card(FIRST)).toMatchTextContent('We received your case.');
  const facts = [...card(FIRST).element().querySelectorAll('.case-facts > div')].map((fact) => [
    fact.querySelector('dt')?.textContent,
    fact.querySelector('dd')?.textContent,
  ]);
  expect(facts).toEqual([
    ['Form Type', 'I-485'],
    ['Application/Petition Type', 'Application to Adjust Status'],
    ['Substatus', 'Decision'],
    ['Channel Type', 'Online'],
    ['Creation Date', 'Sep 5, 2023'],
    ['Last Updated', 'Feb 29, 2024'],
  ]);
  const history = [...card(FIRST).element().querySelectorAll('ol > li')].map((entry) => entry.textContent);
  expect(history).toEqual([
    expect.stringMatching(/Case Was Denied\s*Feb 29, 2024/),
    expect.stringMatching(
      /Case Was Received\s*the fifth of September\s*Withdrawn: not in the agency’s history since Mar 1, 2024/,
    ),
  ]);
  const badge = card(FIRST).element().querySelector('.status-badge');
  expect(badge?.textContent).toBe('Case Was Denied');
  expect(badge?.classList).toContain('status-badge-destructive');
  expect(badge?.querySelectorAll('svg')).toHaveLength(1);
  await expectAccessible();
});

test('a status with a deadline is marked, and the card leads to what it means', async ({ api }) => {
  signedIn(api);
  api.answers(
    endpoints.lookUpCase,
    caseResult(FIRST, { caseStatus: 'Request for Additional Evidence Was Sent' }),
  );
  await showApp('/');
  await ask(FIRST);
  await expect.element(card(FIRST).getByText('Needs action')).toBeVisible();
  await card(FIRST).getByRole('link', { name: 'What this means' }).click();
  await expect.element(page.getByRole('heading', { name: 'What this means' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: FIRST, level: 1 })).toHaveFocus();
});

test('links of a description open apart, and markup in it is only text', async ({ api }) => {
  signedIn(api);
  const caseDescription = 'See our site or this page. <img src=x onerror="document.title=\'taken\'">';
  api.answers(
    endpoints.lookUpCase,
    caseResult(FIRST, {
      caseDescription,
      descriptionLinks: [
        { text: 'our site', href: 'https://www.uscis.gov/addresschange' },
        { text: 'this page', href: "javascript:document.title='taken'" },
      ],
    }),
  );
  await showApp('/');
  await ask(FIRST);
  await expect.element(card(FIRST)).toMatchTextContent(caseDescription);
  expect(card(FIRST).element().querySelectorAll('.case-description a')).toHaveLength(1);
  await expect
    .element(card(FIRST).getByRole('link', { name: FIRST }))
    .toHaveAttribute('href', `/cases/${FIRST}`);
  const link = card(FIRST).getByRole('link', { name: 'our site' });
  await expect.element(link).toHaveAttribute('href', 'https://www.uscis.gov/addresschange');
  await expect.element(link).toHaveAttribute('target', '_blank');
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(card(FIRST).element().querySelectorAll('img')).toHaveLength(0);
  expect(document.title).not.toBe('taken');
});

test('a lookup that fails says why in the words of the server, else in its own', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  for (const [body, words] of [
    [{ error: 'The agency is on holiday', message: 'other' }, 'The agency is on holiday'],
    [{ message: 'Out of order' }, 'Out of order'],
    [{}, 'Failed to fetch case status'],
  ] as const) {
    api.responds(endpoints.lookUpCase, 500, body);
    await ask(FIRST);
    await expectToast('Error', words);
  }
  expect(document.querySelector('.toast-card')?.className).toMatch(/destructive/);
  api.loses(endpoints.lookUpCase);
  await ask(FIRST);
  await expectToast('Error', 'Failed to fetch case status. Please try again.');
});

test('a save and a removal that fail say so and change nothing on the screen', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await showApp('/');
  await ask(FIRST);
  api.refuses(endpoints.saveCase, 'INTERNAL', 'Out of order');
  await button('Save').click();
  await expectToast('Error', 'Failed to save case');
  await expect.element(button('Save')).toBeVisible();
  expect(api.count(endpoints.saveCase), 'a write is not tried again by itself').toBe(1);

  api.answers(endpoints.saveCase, savedCase(FIRST));
  api.answers(endpoints.listSavedCases, [savedCase(FIRST)]);
  await button('Save').click();
  await expect.element(button('Saved')).toBeVisible();
  api.refuses(endpoints.removeSavedCase, 'INTERNAL', '');
  await button('Saved').click();
  await expectToast('Error', 'Failed to remove case');
  await expect.element(button('Saved')).toBeVisible();
});

test('a case that another tab has saved in the meantime counts as saved', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await showApp('/');
  await ask(FIRST);
  await expect.element(button('Save')).toBeEnabled();
  api.refuses(endpoints.saveCase, 'CASE_ALREADY_SAVED');
  api.answers(endpoints.listSavedCases, [savedCase(FIRST)]);
  await button('Save').click();
  await expect.element(button('Saved')).toBeVisible();
});

test('the fourth save of a free user offers the upgrade', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  api.refuses(endpoints.saveCase, 'SAVED_CASE_LIMIT');
  await showApp('/');
  await ask(FIRST);
  await button('Save').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent('Saving more than 3 cases is a Pro feature.');
  await expect.element(dialog).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button('Save')).toBeVisible();
});

test('a free user who selects Bulk Search is offered the upgrade and stays where he is', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  const bulk = page.getByRole('tab', { name: 'Bulk Search' });
  await bulk.click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Pro' });
  await expect
    .element(dialog)
    .toMatchTextContent(
      'Bulk Search is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
    );
  expect(
    dialog
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual([
    'Bulk search up to 10 cases at once',
    'Unlimited saved cases',
    'Automated daily, weekly, or monthly monitoring',
    'Instant status change notifications',
    'Priority support',
  ]);
  await expect.element(dialog).toMatchTextContent('$9/month');
  await expect.element(dialog).toMatchTextContent('Cancel anytime');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Maybe Later' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('tab', { name: 'Single Case' }))
    .toHaveAttribute('aria-selected', 'true');
  await expect.element(field()).toBeVisible();
});

const results = () => page.getByRole('region', { name: 'Results' });

test('the focus leaves the button for the results when it rests, and is never lost', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await field().fill(FIRST);
  await button('Check Status').click();
  await expect.element(results()).toHaveFocus();
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.lose();
  await button('Try again').click();
  await expect.element(results()).toHaveFocus();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer(caseResult(FIRST));
  await expect.element(card(FIRST)).toBeVisible();
  // With Enter the focus was in the field, and stays there.
  await field().click();
  await userEvent.keyboard('{Enter}');
  await expect.element(field()).toHaveFocus();
});

test('a slow lookup says what it waits for and can be canceled', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.element(results()).toMatchTextContent(`Checking ${FIRST} with the agency...`);
  await expect.poll(() => asked.length).toBe(1);
  await expectAccessible();
  await button('Cancel').click();
  await expect.element(field()).toHaveFocus();
  await expect.element(button('Check Status')).toBeEnabled();
  await expect.element(results()).not.toMatchTextContent(/Checking/);
  expect(asked[0]?.aborted).toBe(true);
  expect(document.querySelectorAll('.toast-card')).toHaveLength(0);
});

test('the result is in the address: going to the case and back brings it again without a call', async ({
  api,
}) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await showApp('/', { withBack: true });
  await ask(FIRST);
  await card(FIRST).getByRole('link', { name: FIRST }).click();
  await expect.element(page.getByRole('heading', { name: FIRST, level: 1 })).toBeVisible();
  await button('Back in history').click();
  await expect.element(card(FIRST)).toBeVisible();
  await expect.element(field()).toHaveValue(FIRST);
  expect(api.count(endpoints.lookUpCase)).toBe(1);
  await button('Back in history').click();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
});

test('a link from another site fills in the field and waits for the person', async ({ api }) => {
  signedIn(api);
  await showApp(`/?receipt=${FIRST.toLowerCase()}`);
  await expect.element(field()).toHaveValue(FIRST);
  await settle();
  expect(api.count(endpoints.lookUpCase)).toBe(0);
  await showApp('/?receipt=%3Cimg%20src%3Dx%3E');
  await settle();
  expect(document.querySelectorAll('img')).toHaveLength(0);
});

test('an invalid number never stands above the result of another one', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await showApp('/', { withBack: true });
  await ask(FIRST);
  await expect.element(card(FIRST)).toBeVisible();
  await ask('EAC99991');
  await expect.element(page.getByText('Invalid receipt number format')).toBeVisible();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue('EAC99991');
  await button('Back in history').click();
  await expect.element(card(FIRST)).toBeVisible();
});

test('a number that is not recognized is shown once in the results, with what to do', async ({ api }) => {
  signedIn(api);
  const words = 'This receipt number was not recognized.';
  api.refuses(endpoints.lookUpCase, 'RECEIPT_NOT_RECOGNIZED', words);
  await showApp('/');
  await ask(FIRST);
  await expectToast('Error', words);
  await expect.element(results()).toMatchTextContent(/Receipt number not recognized/);
  await expect.element(results()).toMatchTextContent(/Compare it with your receipt notice/);
  await expect.element(results()).not.toMatchTextContent(words);
});

test('a success takes the error before it off the screen', async ({ api }) => {
  signedIn(api);
  api.loses(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expectToast('Error');
  api.answers(endpoints.lookUpCase, caseResult(FIRST));
  await button('Try again').click();
  await expect.element(card(FIRST)).toBeVisible();
  await expect.poll(() => document.querySelectorAll('.toast-card[data-state="open"]')).toHaveLength(0);
});

test('what was looked up last is offered again on this device, until it is cleared', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(FIRST, { caseStatus: 'Case Was Approved' }));
  await showApp('/');
  await ask(FIRST);
  await expect.element(card(FIRST)).toBeVisible();
  api.answers(endpoints.lookUpCase, caseResult(SECOND));
  await ask(SECOND);
  const recent = page.getByRole('region', { name: 'Recent on this device' });
  await expect.element(recent).toMatchTextContent(/EAC9999103402 Case Was Approved/);
  await expect.element(recent.getByRole('link', { name: FIRST })).toHaveAttribute('href', `/cases/${FIRST}`);
  await expectAccessible();
  await recent.getByRole('button', { name: 'Clear' }).click();
  await expect.element(recent).not.toBeInTheDocument();
  await expect.element(field()).toHaveFocus();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('recent'))).toEqual([]);
});

test('a letter pasted into the field leaves its receipt number there', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  await field().click();
  pasteText(`Dear Ada, your case eac-99-991-03402 was received.`);
  await expect.element(field()).toHaveValue(FIRST);
  pasteText(`${FIRST}; ${SECOND}`);
  await expect.element(page.getByText('You pasted 2 receipt numbers. This is the first one.')).toBeVisible();
  await button('Check all 2 in Bulk Search').click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent('Bulk Search is a Pro feature.');
});

test('at 768 px the title of the card is on one line', async ({ api }) => {
  await page.viewport(768, 900);
  signedIn(api);
  await showApp('/');
  const title = page.getByRole('heading', { name: 'Check Case Status' });
  await expect.element(title).toBeVisible();
  const range = document.createRange();
  range.selectNodeContents(title.element());
  expect(range.getClientRects()).toHaveLength(1);
  await page.viewport(1280, 800);
});

test('at 320 px a message leaves the header free', async ({ api }) => {
  await page.viewport(320, 640);
  signedIn(api);
  api.loses(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expectToast('Error');
  const header = page.getByRole('banner').element().getBoundingClientRect();
  const toast = document.querySelector('.toast-card')?.getBoundingClientRect();
  expect(toast?.top).toBeGreaterThanOrEqual(header.bottom);
  await page.viewport(1280, 800);
});

test.for([
  '/?receipt=%3Cimg%20src=x%20onerror=alert(1)%3E',
  '/?view=bulk&receipts=%3Cscript%3Ealert(1)%3C/script%3E,EAC9999103403',
  '/saved-cases?search=%3Cimg%20src=x%20onerror=alert(1)%3E&sort=%3Cb%3E&status=%22%3E%3Csvg%20onload=alert(1)%3E',
])('markup in the address %s is text at most, and nothing of it runs', async (path, { api }) => {
  const alert = vi.spyOn(window, 'alert').mockImplementation(() => undefined);
  signedIn(api, PRO_USER);
  await showApp(path);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settle();
  expect(document.querySelector('#main')?.querySelector('img, script, svg[onload]')).toBeNull();
  expect(api.count(endpoints.lookUpCase) + api.count(endpoints.lookUpCases)).toBe(0);
  expect(alert).not.toHaveBeenCalled();
  alert.mockRestore();
});
