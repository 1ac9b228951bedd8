import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, showApp, signedIn, test } from './component-test.tsx';
import { FREE_USER, PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';

const [ONE, TWO, THREE] = ['WAC0000000001', 'WAC0000000002', 'WAC0000000003'];
const number = (nth: number) => `SRC${2_190_000_000 + nth}`;
const row = (receiptNumber: string) => page.getByRole('row').filter({ hasText: receiptNumber });

test('a CSV file shows what each line does before anything is saved', async ({ api }) => {
  signedIn(api, FREE_USER);
  serveWorkspace(api, [savedCase(ONE)]);
  const imports = api.holds(endpoints.importSavedCases);
  await showApp('/saved-cases');
  await button('Import CSV').click();
  const file = (text: string) => new File([text], 'cases.csv', { type: 'text/csv' });
  const field = page.getByLabelText('CSV file');
  await expect.element(field).toBeEnabled();
  await userEvent.upload(field, new File([new Uint8Array(1_100_000)], 'big.csv'));
  await expect.element(page.getByText('This file is 1.1 MB. The limit is 1 MB.')).toBeVisible();
  await userEvent.upload(
    field,
    file(
      `Receipt Number,Nickname,Tags,Frequency\n${ONE},,,\n${TWO},Mom,Family,none\nWAC12,,,\n${THREE},,,daily\n${number(1)},,,`,
    ),
  );
  await expect
    .element(page.getByText('2 new, 1 already saved, 1 over the Free plan limit, 1 invalid'))
    .toBeVisible();
  await expect.element(row('WAC12')).toMatchTextContent('Has 2 digits instead of 10 after the letters');
  await expectAccessible();
  expect(imports).toHaveLength(0);
  await button('Import 2 cases').click();
  await expect
    .poll(() => imports[0]?.body)
    .toEqual({
      cases: [
        { receiptNumber: TWO, nickname: 'Mom', tags: ['Family'], monitoringFrequency: 'none' },
        { receiptNumber: THREE, monitoringFrequency: 'none' },
      ],
    });
  // An import that has begun continues: it is not left before it says how it went.
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toBeDisabled();
  await expect.element(button('Cancel')).toHaveAttribute('aria-disabled', 'true');
  imports[0]?.answer({
    results: [
      { receiptNumber: TWO, outcome: 'changed' },
      { receiptNumber: THREE, outcome: 'unchanged' },
    ],
  });
  await expect.element(page.getByRole('dialog')).toMatchTextContent('1 case saved, 1 unchanged');
  await expect.element(page.getByText('Import finished:').element().parentElement).toHaveFocus();
});

test('where the saved cases can not be read, the import says so and tries again', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  api.refuses(endpoints.listSavedCases, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await button('Import CSV').click();
  await expect.element(page.getByText('Your saved cases could not be loaded')).toBeVisible();
  await expect.element(page.getByLabelText('CSV file')).toBeDisabled();
  await expectAccessible();
  serveWorkspace(api, []);
  await button('Try again').click();
  await expect.element(page.getByLabelText('CSV file')).toBeEnabled();
  await expect.element(page.getByText('Your saved cases could not be loaded')).not.toBeInTheDocument();
});

test('at 320 px the preview shows each line whole', async ({ api }) => {
  await page.viewport(320, 640);
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  await showApp('/saved-cases');
  await button('Import CSV').click();
  const field = page.getByLabelText('CSV file');
  await expect.element(field).toBeEnabled();
  const nickname = 'Maria de los Angeles Hernandez Gutierrez, adjustment of status';
  await userEvent.upload(
    field,
    new File([`${ONE},"${nickname}"\nWAC12\n`], 'cases.csv', { type: 'text/csv' }),
  );
  await expect.element(row(ONE)).toMatchTextContent(nickname);
  const dialog = page.getByRole('dialog').element().querySelector('.modal-content')?.getBoundingClientRect();
  for (const cell of document.querySelectorAll('.import-preview td'))
    expect(cell.getBoundingClientRect().right).toBeLessThanOrEqual(dialog?.right ?? 0);
  await page.viewport(1280, 800);
});
