import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { readSkipped, writeSkipped } from '../src/lib/skipped-surveys.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, pendingSurvey } from './samples.ts';

const SURVEY = pendingSurvey();
const dialog = () => page.getByRole('dialog', { name: 'How is it going?' });
const store = () => sessionStorage;

async function fillIn(): Promise<void> {
  await dialog().getByLabelText('Alerts').click();
  await dialog().getByLabelText('Yes').click();
}

test('an answer that nobody has chosen yet does not look chosen', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  await showApp('/saved-cases');
  const answer = dialog().getByLabelText('Yes');
  await expect.element(answer).toBeVisible();
  const mark = () => getComputedStyle(answer.element(), '::after').content;
  expect(mark()).toBe('none');
  await answer.click();
  expect(mark()).not.toBe('none');
});

test('once a skipped survey is answered, nothing here remembers the skip', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  api.answers(endpoints.answerSurvey, { ok: true });
  await showApp('/saved-cases');
  await fillIn();
  // Skipped by a page of this tab that the browser kept, and has shown again.
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
  ['a press outside the dialog', () => dialog().click({ position: { x: 4, y: 4 } })],
] as const) {
  test(`closing a survey by ${way} is a skip, for the rest of the session`, async ({ api }) => {
    signedIn(api);
    api.answers(endpoints.listPendingSurveys, [SURVEY]);
    // The skip fails, which is not reported; this session remembers it all the same.
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

test('a survey that is being answered stays when another one comes first', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  api.refuses(endpoints.answerSurvey, 'SURVEY_CHANGED');
  await showApp('/saved-cases');
  await fillIn();
  const other = { ...SURVEY.survey, id: '0198c0de-0000-7000-8000-000000000011', title: 'Something else' };
  api.answers(endpoints.listPendingSurveys, [{ ...SURVEY, survey: other }, SURVEY]);
  await button('Submit').click();
  await expectToast('Survey changed');
  await expect.element(dialog().getByLabelText('Alerts')).toBeChecked();

  api.answers(endpoints.skipSurvey, { ok: true });
  await dialog().getByRole('button', { name: 'Skip' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Something else' })).toBeVisible();
});

test('required questions must be answered before anything is sent', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  const sent = api.holds(endpoints.answerSurvey);
  await showApp('/saved-cases');
  await button('Submit').click();
  await expectToast('Required Fields', 'Please answer all required questions.');
  expect(document.querySelector('.toast-card')?.className).toMatch(/destructive/);
  expect(page.getByText('Please answer this question.').elements()).toHaveLength(2);
  await expect.element(dialog().getByLabelText('Search')).toHaveFocus();
  await expectAccessible();
  await dialog().getByLabelText('Search').click();
  await button('Submit').click();
  expect(page.getByText('Please answer this question.').elements()).toHaveLength(1);
  expect(sent).toHaveLength(0);
  await dialog().getByLabelText('Yes').click();
  await button('Submit').click();
  await expect.element(button('Submitting...')).toHaveAttribute('aria-disabled', 'true');
  await settle();
  await expect.element(button('Submitting...')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body.responses).toEqual([
    { questionId: SURVEY.questions[0]?.id, responseOptions: ['Search'] },
    { questionId: SURVEY.questions[1]?.id, responseOptions: ['Yes'] },
  ]);
});

test('a submission that fails leaves the dialog and the answers', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [SURVEY]);
  api.refuses(endpoints.answerSurvey, 'UNAVAILABLE', 'unavailable');
  await showApp('/saved-cases');
  await fillIn();
  const text = dialog().getByPlaceholder('Your answer...');
  await text.fill('Nothing');
  await button('Submit').click();
  await expectToast('Error', 'Failed to submit survey. Please try again.');
  expect(document.querySelector('.toast-card')?.className).toMatch(/destructive/);
  await expect.element(dialog().getByLabelText('Alerts')).toBeChecked();
  await expect.element(text).toHaveValue('Nothing');
  await expectAccessible();
  api.answers(endpoints.answerSurvey, { ok: true });
  api.answers(endpoints.listPendingSurveys, []);
  await button('Submit').click();
  await expectToast('Thank you!');
});

test.for([
  [320, 640],
  [390, 844],
  [1280, 800],
] as const)(
  'at %i px a toast lies on neither the heading nor the buttons of the survey',
  async ([width, height], { api }) => {
    await page.viewport(width, height);
    signedIn(api);
    api.answers(endpoints.listPendingSurveys, [SURVEY]);
    await showApp('/saved-cases');
    await button('Submit').click();
    await expectToast('Required Fields');
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const isCovered = (selector: string) => {
      const [toast, part] = [boxOf('.toast-card'), boxOf(selector)];
      if (!toast || !part) throw new Error(`no toast, or no ${selector}`);
      return toast.top < part.bottom && part.top < toast.bottom && toast.left < part.right;
    };
    await expect.poll(() => isCovered('.modal-header')).toBe(false);
    await expect.poll(() => isCovered('.modal-footer')).toBe(false);
    await expectAccessible(`survey toast ${width}`);
  },
);
