import type {} from '@vitest/browser-playwright';
import { cdp, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
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
import { casesPage, NO_SUBSCRIPTION, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'WAC0000000004';
const UPGRADE_WORDS =
  'Automated Monitoring is a Pro feature. Upgrade to unlock unlimited case tracking and automation.';

const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
const frequency = () => page.getByLabelText(`Monitoring frequency of ${NUMBER}`);

test('the list says that it is loading, and an empty one what to do', async ({ api }) => {
  signedIn(api);
  const lists = api.holds(endpoints.listSavedCasesPage);
  await showApp('/saved-cases');
  await expect.element(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
  await expect.element(page.getByText('Loading saved cases...')).toBeVisible();
  lists[0]?.answer(casesPage([]));
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await expect.element(page.getByText(/Search for a case and save it/)).toBeVisible();
  await expectAccessible();
});

test('a card shows when the case was last checked and what was found', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [
    savedCase('EAC9999103403', {
      nickname: 'Mine',
      lastCheckedAt: '2026-03-01T15:07:00.000Z',
      lastKnownStatus: 'Case Was Approved',
    }),
    savedCase('LIN9999106498'),
    savedCase('SRC9999102777', { lastCheckedAt: 'yesterday' }),
  ]);
  await showApp('/saved-cases');
  const checked = card('EAC9999103403');
  await expect.element(checked).toMatchTextContent('Mar 1, 2026 3:07 PM');
  expect(checked.element().querySelector('.status-badge')?.textContent).toBe('Case Was Approved');
  await expect.element(checked.getByRole('button', { name: 'Mine' })).toBeVisible();
  const unchecked = card('LIN9999106498');
  await expect.element(unchecked).toMatchTextContent('Not checked yet');
  await expect.element(unchecked).toMatchTextContent('Never');
  await expect.element(unchecked.getByRole('button', { name: 'Add nickname' })).toBeVisible();
  await expect.element(card('SRC9999102777')).toMatchTextContent('Invalid date');
  await expectAccessible();
});

test('a nickname that is cut on its card is whole under the pointer and on paper', async ({ api }) => {
  const nickname = 'García family, adjustment of status and travel, second attempt, office in Boston';
  signedIn(api);
  keepsCases(api, [savedCase(NUMBER, { nickname })]);
  await page.viewport(390, 800);
  await showApp('/saved-cases');
  const words = page.getByText(nickname);
  await expect.element(words).toHaveAttribute('title', nickname);
  expect(words.element().scrollWidth).toBeGreaterThan(words.element().clientWidth);
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.poll(() => words.element().scrollWidth - words.element().clientWidth).toBeLessThanOrEqual(0);
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
    await page.viewport(1280, 800);
  }
});

test('a nickname that can not be kept is reported, and what was typed stays', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NUMBER)]);
  api.refuses(endpoints.changeSavedCase, 'INTERNAL', 'Out of order');
  await showApp('/saved-cases');
  await button('Add nickname').click();
  await userEvent.keyboard('Mine');
  await button('Save').click();
  await expectToast('Error', 'Failed to update case');
  await expect.element(page.getByPlaceholder('Add a nickname...')).toHaveValue('Mine');
});

test('a removal that fails brings the case back to its place', async ({ api }) => {
  signedIn(api);
  const [newer, older] = [NUMBER, 'WAC0000000002'];
  keepsCases(api, [savedCase(newer), savedCase(older)]);
  const removals = api.holds(endpoints.removeSavedCase);
  await showApp('/saved-cases');
  await button(`Remove ${newer}`).click();
  await button('Remove').click();
  await expect.element(card(newer)).not.toBeInTheDocument();
  removals[0]?.refuse('INTERNAL', 'Out of order');
  await expectToast('Error', 'Failed to remove case');
  await expect.element(card(newer)).toBeVisible();
  expect(page.getByRole('article').elements()).toEqual([card(newer).element(), card(older).element()]);
});

test('a plan that ended on another device meets the same offer', async ({ api }) => {
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(NUMBER)]);
  api.refuses(endpoints.changeSavedCase, 'PRO_REQUIRED', UPGRADE_WORDS);
  await showApp('/saved-cases');
  await frequency().selectOptions('Weekly');
  await expect.element(page.getByRole('dialog')).toMatchTextContent(UPGRADE_WORDS);
  await expect.element(frequency()).toHaveValue('none');
  await expect.element(page.getByText('Failed to update case')).not.toBeInTheDocument();
});

test('what Pro watched says that it is paused, keeps the choice, and can be turned off for good', async ({
  api,
}) => {
  signedIn(api);
  const paused = savedCase(NUMBER, {
    monitoringFrequency: 'daily',
    monitoringPausedAt: '2026-01-05T12:00:00.000Z',
  });
  keepsCases(api, [paused]);
  await showApp('/saved-cases');
  await expect.element(frequency()).toHaveValue('daily');
  await expect.element(page.getByText('Paused: Pro ended')).toBeVisible();
  expect(api.count(endpoints.listWatches)).toBe(0);
  await expectAccessible();
  const off = savedCase(NUMBER);
  api.answers(endpoints.changeSavedCase, off);
  keepsCases(api, [off]);
  await frequency().selectOptions('None');
  await expect.element(page.getByText('Paused: Pro ended')).not.toBeInTheDocument();
});

test('turning off what is paused can be undone: the frequency comes back, paused', async ({ api }) => {
  signedIn(api);
  const paused = savedCase(NUMBER, {
    monitoringFrequency: 'weekly',
    monitoringPausedAt: '2026-01-05T12:00:00.000Z',
  });
  keepsCases(api, [paused]);
  await showApp('/saved-cases');
  await expect.element(frequency()).toHaveValue('weekly');
  const off = savedCase(NUMBER);
  api.answers(endpoints.changeSavedCase, off);
  keepsCases(api, [off]);
  await frequency().selectOptions('None');
  await expectToast('Updated', 'Case settings have been updated');
  const changes = api.holds(endpoints.changeSavedCases);
  await button('Undo').click();
  await expect
    .poll(() => changes[0]?.body)
    .toEqual({
      action: 'setFrequency',
      receiptNumbers: [NUMBER],
      monitoringFrequency: 'weekly',
      evenIfPaused: true,
    });
  keepsCases(api, [paused]);
  changes[0]?.answer({ results: [{ receiptNumber: NUMBER, outcome: 'changed' }] });
  await expect.element(frequency()).toHaveValue('weekly');
  await expect.element(page.getByText('Paused: Pro ended')).toBeVisible();
});

test('while a cancellation is pending it says when monitoring pauses, and leads to where Pro is kept', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  const endsAt = '2026-12-24T12:00:00.000Z';
  api.answers(endpoints.getSubscription, {
    ...NO_SUBSCRIPTION,
    tier: 'pro',
    status: 'active',
    canResume: true,
    trialAvailable: false,
    endsAt,
  });
  api.answers(endpoints.listWatches, []);
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'daily' })]);
  await showApp('/saved-cases');
  await expect.element(page.getByText(/Pro ends on Dec 24, 2026\. Monitoring pauses that day/)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Keep Pro' })).toHaveAttribute('href', '/profile');
});

test('a frequency that could not be saved goes back to the one before', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.listWatches, []);
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'monthly' })]);
  api.loses(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await frequency().selectOptions('Daily');
  await expectToast('Error', 'Failed to update case');
  await expect.element(frequency()).toHaveValue('monthly');
  api.refuses(endpoints.changeSavedCase, 'INTERNAL', 'Something broke');
  await frequency().selectOptions('None');
  await expectToast('Error', 'Failed to update case');
  await expect.element(frequency()).toHaveValue('monthly');
});

test('two choices in a row are sent one after the other, and the second one stays', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.listWatches, []);
  keepsCases(api, [savedCase(NUMBER)]);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await frequency().selectOptions('Daily');
  await frequency().selectOptions('Weekly');
  await expect.element(frequency()).toHaveValue('weekly');
  await settle();
  expect(changes.map(({ body }) => body)).toEqual([{ monitoringFrequency: 'daily' }]);
  changes[0]?.answer(savedCase(NUMBER, { monitoringFrequency: 'daily' }));
  await expect.poll(() => changes.length).toBe(2);
  await expect.element(frequency()).toHaveValue('weekly');
  expect(changes[1]?.body).toEqual({ monitoringFrequency: 'weekly' });
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'weekly' })]);
  changes[1]?.answer(savedCase(NUMBER, { monitoringFrequency: 'weekly' }));
  await expectToast('Updated', 'Case settings have been updated');
  await expect.element(frequency()).toHaveValue('weekly');
});
