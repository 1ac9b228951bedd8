import type { SavedCase } from '@casewatch/contracts/cases';
import { expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';
import { workbookFile } from './workbook-file.ts';

const [ONE, TWO, THREE] = ['WAC0000000001', 'WAC0000000002', 'WAC0000000003'];
const number = (nth: number) => `SRC${2_190_000_000 + nth}`;
const row = (receiptNumber: string) =>
  page
    .getByRole('table', { name: /to each line$/ })
    .getByRole('row')
    .filter({ hasText: receiptNumber });

test('a CSV file shows what each line does before anything is saved', async ({ api }) => {
  signedIn(api, FREE_USER);
  serveWorkspace(api, [savedCase(ONE)]);
  const imports = api.holds(endpoints.importSavedCases);
  await showApp('/saved-cases');
  await button('Import cases').click();
  const file = (text: string) => new File([text], 'cases.csv', { type: 'text/csv' });
  const field = page.getByLabelText('CSV file or Excel workbook');
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
  // An import that has begun is not left before it says how it went.
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toBeDisabled();
  await expect.element(page.getByRole('progressbar', { name: 'Import' })).toBeVisible();
  imports[0]?.answer({
    results: [
      { receiptNumber: TWO, outcome: 'changed' },
      { receiptNumber: THREE, outcome: 'unchanged' },
    ],
  });
  await expect.element(page.getByRole('dialog')).toMatchTextContent('1 case saved, 1 unchanged');
  await expect
    .element(page.getByText('Import finished:').element().closest<HTMLElement>('[tabindex]'))
    .toHaveFocus();
  await expect.element(row('WAC12')).toMatchTextContent('Can’t be imported');
  await expectAccessible();
});

const csv = (text: string, name = 'cases.csv') => new File([text], name, { type: 'text/csv' });
const asColumn = (name: string) => page.getByLabelText(`Import “${name}” as`);

/** Opens the import, ready for a file. */
async function openImport() {
  await showApp('/saved-cases');
  await button('Import cases').click();
  const field = page.getByLabelText('CSV file or Excel workbook');
  await expect.element(field).toBeEnabled();
  return field;
}

test('columns are guessed, shown with their first rows, and can be chosen', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const imports = api.holds(endpoints.importSavedCases);
  const field = await openImport();
  const rows = ['Ana|I-485|x', 'Lee|I-130|y', 'Bo|I-765|x', 'Hidden|N-400|x'].map(
    (cells, nth) => `${cells.split('|').join(',')},${number(nth)},weekly,Maria`,
  );
  await userEvent.upload(
    field,
    csv(`Our cases,,,,,\n\nClient Name,Form,Labels,Receipt #,How often?,Paralegal\n${rows.join('\n')}`),
  );
  await expect.element(asColumn('Client Name')).toHaveValue('nickname');
  await expect.element(asColumn('Form')).toHaveValue('ignored');
  await expect.element(asColumn('Labels')).toHaveValue('tags');
  await expect.element(asColumn('Receipt #')).toHaveValue('receipt');
  await expect.element(asColumn('How often?')).toHaveValue('frequency');
  await expect.element(page.getByText('Not imported: Form, Paralegal')).toBeVisible();
  await expect.element(page.getByText('Titles and headings, not imported: line 1, line 3')).toBeVisible();
  await expect.element(page.getByRole('row', { name: /^Client Name Ana ?Lee ?Bo/ })).toBeVisible();
  await expectAccessible();
  await asColumn('Labels').selectOptions('Do not import');
  await asColumn('Paralegal').selectOptions('Tags');
  await expect.element(page.getByText('Not imported: Form, Labels')).toBeVisible();
  await button('Import 4 cases').click();
  await expect
    .poll(() => imports[0]?.body.cases[0])
    .toEqual({ receiptNumber: number(0), nickname: 'Ana', tags: ['Maria'], monitoringFrequency: 'weekly' });
  imports[0]?.answer({ results: [] });
});

test('without a column of receipt numbers nothing is imported before one is chosen', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const field = await openImport();
  await userEvent.upload(field, csv(`Receipt,Client\n${ONE},Ana`));
  await asColumn('Receipt').selectOptions('Do not import');
  await expect.element(page.getByText('Choose the column that has the receipt numbers.')).toBeVisible();
  await expect.element(button('Import')).toHaveAttribute('aria-disabled', 'true');
  await asColumn('Receipt').selectOptions('Receipt number');
  await expect.element(button('Import 1 case')).toBeVisible();
});

test('the corrected file is read when it is chosen again, and a workbook too', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const field = await openImport();
  const input = field.element() as HTMLInputElement;
  await userEvent.upload(field, csv('Receipt\nWAC12'));
  await expect.element(page.getByText('1 invalid')).toBeVisible();
  // The browser reports no change while the field still holds the file.
  expect(input.value).toBe('');
  await expect.element(page.getByText('Chosen: cases.csv')).toBeVisible();
  await userEvent.upload(field, csv(`Receipt\n${ONE}`));
  await expect.element(page.getByText('1 new')).toBeVisible();
  await userEvent.upload(
    field,
    new File([workbookFile([[['Receipt'], [TWO], [THREE]], [[ONE]]])], 'cases.xlsx'),
  );
  await expect.element(page.getByText('2 new')).toBeVisible();
  await expect.element(page.getByText('Not imported: sheet “Sheet2”')).toBeVisible();
});

test.for([
  ['nothing in it', new File([], 'empty.csv'), 'This file is empty.'],
  ['a PDF', new File(['%PDF-1.7'], 'cases.pdf'), 'This is a PDF file.'],
  ['a picture', new File(['GIF89a'], 'cases.csv'), 'This is a picture.'],
  ['headings alone', csv('Receipt,Client'), 'This file has no cases.'],
  ['6,000 lines', csv('WAC0000000001\n'.repeat(6_000)), 'This file has 6,000 lines.'],
] as const)('a file with %s says so', async ([_name, file, problem], { api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const field = await openImport();
  await userEvent.upload(field, file);
  await expect.element(page.getByText(problem, { exact: false })).toBeVisible();
});

/** The server's part: saves what is not saved yet, and loses its answer to some requests. */
function serveImports(api: FakeApi, cases: SavedCase[], loses: (request: number) => boolean) {
  const requests: { cases: { receiptNumber: string }[]; after?: string | undefined }[] = [];
  const take = (body: (typeof requests)[number]) => {
    requests.push(body);
    return {
      results: body.cases.map(({ receiptNumber }) => {
        const isSaved = cases.some((one) => one.receiptNumber === receiptNumber);
        if (!isSaved) cases.push(savedCase(receiptNumber));
        return { receiptNumber, outcome: isSaved ? ('unchanged' as const) : ('changed' as const) };
      }),
    };
  };
  api.handles(endpoints.importSavedCases, (call) => {
    const isLost = loses(requests.length);
    const answer = take(call.body);
    if (isLost) call.lose();
    else call.answer(answer);
  });
  return requests;
}

/** As an office keeps its list: 2,000 rows beneath a title and headings in two rows, in three languages. */
function messyFile(): { text: string; expected: Record<'fresh' | 'saved' | 'repeated' | 'invalid', number> } {
  const expected = { fresh: 0, saved: 0, repeated: 0, invalid: 0 };
  const names = [
    'García, José',
    'Mary\nSmith',
    'Nguyễn\tVăn',
    'Анна\u200b Иванова',
    'María  de los Ángeles',
    'x'.repeat(130),
  ];
  const often = ['weekly', 'Semanal', 'jede Woche', '', 'cada mes', 'never'];
  const rows = Array.from({ length: 2_000 }, (_, nth) => {
    let receipt = number(nth);
    if (nth === 0) {
      receipt = ONE;
      expected.saved += 1;
    } else if (nth % 50 === 0) {
      receipt = number(nth - 1);
      expected.repeated += 1;
    } else if (nth % 51 === 0) {
      receipt = ['pending', 'WAC12', '', 'por confirmar'][nth % 4] ?? '';
      expected.invalid += 1;
    } else if (nth % 53 === 0) {
      receipt = `${number(nth)}\n${number(5_000 + nth)}`;
      expected.fresh += 2;
    } else {
      if (nth % 7 === 0) receipt = `="${receipt}"`;
      else if (nth % 11 === 0) receipt = receipt.replace('SRC', 'src-');
      expected.fresh += 1;
    }
    const cells = [
      names[nth % 6] ?? '',
      receipt,
      '11/29/2026',
      nth % 3 ? 'H-1B; Familia' : '',
      often[nth % 6] ?? '',
    ];
    return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
  });
  const head = [
    'sep=;',
    'Casos del despacho / Office cases;;;;',
    '',
    'Client;Case;;Labels;How often?',
    'Nombre;Número de recibo;Filed;;',
  ];
  return {
    text: [...head, ...rows, 'Total: 2000;;;;'].join('\r\n'),
    expected: { ...expected, invalid: expected.invalid + 1 },
  };
}

test('a messy list of 2,000 lines is imported with every line accounted for', { timeout: 120_000 }, async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  const cases = [savedCase(ONE)];
  const { changes } = serveWorkspace(api, cases);
  const requests = serveImports(api, cases, (request) => request === 3);
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:none';
  });
  const { text, expected } = messyFile();
  const field = await openImport();
  await userEvent.upload(field, csv(text));
  const { fresh, saved, repeated, invalid } = expected;
  const sum = `${fresh.toLocaleString('en')} new, ${saved} already saved, ${repeated} repeated, ${invalid} invalid`;
  await expect.element(page.getByText(sum)).toBeVisible();
  await expect.element(page.getByText('Not imported: Filed')).toBeVisible();
  await button(`Import ${fresh.toLocaleString('en')} cases`).click();
  // The fourth answer was lost: what was saved before stays, the rest is sent again.
  await expect.element(page.getByText('Import stopped:')).toBeVisible();
  await expect
    .element(page.getByText(`${(fresh - 750).toLocaleString('en')} cases not saved yet`))
    .toBeVisible();
  await button('Try again').click();
  await expect.element(page.getByText('Import finished:')).toBeVisible();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(`${fresh.toLocaleString('en')} cases saved`);
  expect(cases).toHaveLength(fresh + 1);
  for (const [nth, { after }] of requests.entries())
    if (nth > 0) expect(after).toBe(requests[nth === 4 ? 2 : nth - 1]?.cases.at(-1)?.receiptNumber);

  await button('Save summary (CSV)').click();
  const summary = (await files[0]?.text())?.trimEnd().split('\r\n') ?? [];
  const lines = new Set(summary.slice(1).map((row) => Number(/^"(\d+)"/.exec(row)?.[1])));
  expect(lines.size).toBe(2_000 + 3 + 1);
  expect(summary.filter((row) => row.includes('"Saved')).length).toBe(fresh);
  expect(summary.filter((row) => row.includes('Not saved')).length).toBe(0);
  expect(summary.find((row) => row.includes(number(2)))).toContain('Without monitoring: “jede Woche”');

  await button('Undo import').click();
  await expectToast(`Undone for ${fresh.toLocaleString('en')} cases`);
  expect(cases.map(({ receiptNumber }) => receiptNumber)).toEqual([ONE]);
  expect(changes.flatMap(({ receiptNumbers }) => receiptNumbers)).toHaveLength(fresh);
  await expect.element(button('Undo import')).not.toBeInTheDocument();
});

test('an import that is canceled says what it saved, and continues where it was', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const imports = api.holds(endpoints.importSavedCases);
  const field = await openImport();
  await userEvent.upload(field, csv(Array.from({ length: 600 }, (_, nth) => number(nth)).join('\n')));
  await button('Import 600 cases').click();
  const answer = (nth: number) =>
    imports[nth]?.answer({
      results:
        imports[nth]?.body.cases.map(({ receiptNumber }) => ({
          receiptNumber,
          outcome: 'changed' as const,
        })) ?? [],
    });
  await expect.poll(() => imports.length).toBe(1);
  await button('Cancel').click();
  answer(0);
  await expect.element(page.getByText('Import canceled:')).toBeVisible();
  await expect.element(page.getByText('350 cases not saved yet')).toBeVisible();
  expect(imports).toHaveLength(1);
  await button('Try again').click();
  await expect.poll(() => imports.length).toBe(2);
  expect(imports[1]?.body.after).toBe(number(249));
  expect(imports[1]?.body.cases[0]?.receiptNumber).toBe(number(250));
  answer(1);
  await expect.poll(() => imports.length).toBe(3);
  expect(imports[2]?.body.after).toBe(number(499));
  answer(2);
  await expect.element(page.getByText('Import finished:')).toBeVisible();
  await button('Done').click();
  await expectToast('Cases imported', '600 cases saved');
});

test('a case that the server can not take does not refuse the others', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  const bad = number(3);
  api.handles(endpoints.importSavedCases, (call) => {
    const numbers = call.body.cases.map(({ receiptNumber }) => receiptNumber);
    if (numbers.includes(bad)) return call.refuse('VALIDATION');
    call.answer({
      results: numbers.map((receiptNumber) => ({ receiptNumber, outcome: 'changed' as const })),
    });
  });
  const field = await openImport();
  await userEvent.upload(field, csv([1, 2, 3, 4, 5].map(number).join('\n')));
  await button('Import 5 cases').click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent('4 cases saved, 1 failed');
  await expect.element(row(bad)).toMatchTextContent('Can’t be imported');
});

test('where the saved cases can not be read, the import says so and tries again', async ({ api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  api.refuses(endpoints.listSavedCases, 'UNAVAILABLE');
  await showApp('/saved-cases');
  await button('Import cases').click();
  await expect.element(page.getByText('Your saved cases could not be loaded')).toBeVisible();
  await expect.element(page.getByLabelText('CSV file or Excel workbook')).toBeDisabled();
  await expectAccessible();
  serveWorkspace(api, []);
  await button('Try again').click();
  await expect.element(page.getByLabelText('CSV file or Excel workbook')).toBeEnabled();
  await expect.element(page.getByText('Your saved cases could not be loaded')).not.toBeInTheDocument();
});

test('at 320 px the preview shows each line whole', async ({ api }) => {
  await page.viewport(320, 640);
  signedIn(api, PRO_USER);
  serveWorkspace(api, []);
  await showApp('/saved-cases');
  await button('Import cases').click();
  const field = page.getByLabelText('CSV file or Excel workbook');
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
