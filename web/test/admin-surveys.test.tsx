import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { button, expect, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';

async function openSurveys(api: FakeApi): Promise<void> {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  api.answers(endpoints.adminLogIn, {
    ok: true,
    idleSeconds: 900,
    admin: { name: 'passcode', role: 'owner' },
  });
  await showApp('/admin?tab=surveys');
  await page.getByLabelText('Passcode').fill('secret');
  await button('Access Admin Panel').click();
}

test('a date of a survey that is typed in part is not taken for none', async ({ api }) => {
  api.answers(endpoints.listSurveys, []);
  const sent = api.holds(endpoints.createSurvey);
  await openSurveys(api);
  await button('Create Survey').click();
  const dialog = page.getByRole('dialog', { name: 'Create Survey' });
  await dialog.getByLabelText('Title').fill('How is it going?');
  const end = dialog.getByLabelText('End date (Optional)');
  end.element().focus();
  await userEvent.keyboard('0231');
  await dialog.getByRole('button', { name: 'Create Survey' }).click();
  await expect.element(dialog.getByText('Enter a whole date that exists, or clear the field.')).toBeVisible();
  await expect.element(end).toHaveFocus();
  expect(sent).toHaveLength(0);
  await end.fill('2026-03-01');
  await dialog.getByRole('button', { name: 'Create Survey' }).click();
  await expect.poll(() => sent.map(({ body }) => body.endDate)).toEqual(['2026-03-01']);
});
