import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/survey-endpoints.ts';
import { readSkipped, writeSkipped } from '../src/lib/skipped-surveys.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, pendingSurvey } from './samples.ts';

const SURVEY = pendingSurvey();
const dialog = () => page.getByRole('dialog', { name: 'How is it going?' });
const store = () => sessionStorage;

async function fillIn(): Promise<void> {
  await dialog().getByLabelText('Alerts').click();
  await dialog().getByLabelText('Yes').click();
}

test('once a skipped survey is answered, nothing here remembers the skip', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  api.answers(endpoints.answerSurvey, { ok: true });
  await showApp('/saved-cases');
  await fillIn();
  // Skipped meanwhile by a page of this tab that the browser kept, and has shown again.
  writeSkipped(store, FREE_USER.id, [SURVEY.survey.id]);
  api.answers(endpoints.listPendingSurveys, []);
  await button('Submit').click();
  await expectToast('Thank you!', 'Your feedback has been submitted successfully.');
  expect(readSkipped(store, FREE_USER.id)).toEqual([]);
});

for (const [way, close] of [
  ['Skip', () => dialog().getByRole('button', { name: 'Skip' }).click()],
  ['the cross', () => dialog().getByRole('button', { name: 'Close' }).click()],
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['a press beside the dialog', () => dialog().click({ position: { x: 4, y: 4 } })],
] as const) {
  test(`closing a survey by ${way} is a skip, for the rest of the session`, async ({ api }) => {
    signedIn(api);
    api.answers(endpoints.listPendingSurveys, [SURVEY]);
    // The skip does not get through, which is told to nobody; this session remembers it all the same.
    api.refuses(endpoints.skipSurvey, 'INTERNAL');
    const screen = await showApp('/saved-cases');
    await expect.element(dialog()).toHaveFocus();
    await close();
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.poll(() => api.count(endpoints.listPendingSurveys)).toBe(2);
    expect(api.count(endpoints.skipSurvey)).toBe(1);
    await page.getByTestId('nav-home').click();
    await expect.element(page.getByRole('heading', { name: 'Check Case Status' })).toBeVisible();
    await settle();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(document.querySelectorAll('.toast-card')).toHaveLength(0);

    await screen.unmount();
    await showApp('/saved-cases');
    await expect.poll(() => api.count(endpoints.listPendingSurveys)).toBe(3);
    await settle();
    await expect.element(dialog()).not.toBeInTheDocument();
  });
}
