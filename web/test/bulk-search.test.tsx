import { vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  pasteText,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, historyEntry, PRO_USER, savedCase } from './samples.ts';

const [FIRST, SECOND, THIRD] = ['EAC0000000001', 'EAC0000000002', 'EAC0000000003'];

const box = () => page.getByLabelText('Receipt Numbers');
const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });

async function showBulkSearch(api: FakeApi): Promise<void> {
  signedIn(api, PRO_USER);
  await showApp('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
}

/** The text color as it is painted: red, green and blue, 0 to 255. */
function channels(element: Element): number[] {
  return (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).map(Number);
}

test('bulk search counts, and refuses invalid numbers and more than ten', async ({ api }) => {
  await showBulkSearch(api);
  await expect.element(button('Check 0 Case(s)')).toBeDisabled();
  await box().fill(`${FIRST}\nnonsense`);
  await expect
    .element(page.getByText('1 invalid receipt number(s) (format: 3 letters + 10 digits)'))
    .toBeVisible();
  await expect.element(button('Check 2 Case(s)')).toBeDisabled();
  await expectAccessible();

  const numbers = Array.from({ length: 11 }, (_, at) => `EAC99991034${String(at).padStart(2, '0')}`);
  await box().fill(numbers.slice(1).join('\n'));
  const ten = page.getByText('10 / 10');
  await expect.element(ten).toBeVisible();
  const [red = 0, green = 0, blue = 0] = channels(ten.element());
  expect(Math.abs(red - green) + Math.abs(red - blue)).toBeLessThan(60);
  await expect.element(button('Check 10 Case(s)')).toBeEnabled();
  await box().fill(numbers.join('\n'));
  const eleven = page.getByText('11 / 10');
  await expect.element(eleven).toBeVisible();
  const over = channels(eleven.element());
  expect(over[0]).toBeGreaterThan((over[1] ?? 0) + 80);
  expect(over[0]).toBeGreaterThan((over[2] ?? 0) + 80);
  await expect.element(button('Check 11 Case(s)')).toBeDisabled();
});

test('a failed item shows its number and its error, or the standing words', async ({ api }) => {
  await showBulkSearch(api);
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST) },
    {
      success: false,
      receiptNumber: SECOND,
      error: 'The agency is on holiday',
      agencyMessage: 'Back on <b>Monday</b>',
    },
    { success: false, receiptNumber: THIRD },
  ]);
  await box().fill([FIRST, SECOND, THIRD].join('\n'));
  await button('Check 3 Case(s)').click();
  await expect.element(card(FIRST)).toMatchTextContent('Case Was Received');
  await expect
    .element(card(SECOND))
    .toMatchTextContent('The agency is on holidayUSCIS says: Back on <b>Monday</b>');
  await expect.element(card(THIRD)).toMatchTextContent('Failed to fetch case status');
  await expect.element(card(THIRD)).not.toMatchTextContent(/USCIS says/);
});

test('a bulk search that fails says why in the words of the server, else in its own', async ({ api }) => {
  await showBulkSearch(api);
  await box().fill(FIRST);
  for (const [body, words] of [
    [{ error: 'The agency is on holiday' }, 'The agency is on holiday'],
    [{}, 'Failed to fetch bulk case status'],
  ] as const) {
    api.responds(endpoints.lookUpCases, 500, body);
    await button('Check 1 Case(s)').click();
    await expectToast('Error', words);
  }
  api.loses(endpoints.lookUpCases);
  await button('Check 1 Case(s)').click();
  await expectToast('Error', 'Failed to fetch case statuses. Please try again.');
});

test('whatever is pasted, its receipt numbers are picked out, each once, and what else looks like a number is listed', async ({
  api,
}) => {
  await showBulkSearch(api);
  await box().fill(`${FIRST}\n`);
  await box().click();
  pasteText(`Dear Ada,\nyour cases eac\u201100000\u201100002 and ${FIRST}, and IOE-123456789.
    A-Number A 123-456-789, passport G12345678, born 05/14/1983, phone (800) 375-5283\nRegards`);
  await expect.element(box()).toHaveValue(`${FIRST}\n${SECOND}\n`);
  await expect.element(page.getByText('1 receipt number added. 1 duplicate skipped.')).toBeVisible();
  await expect.element(page.getByText('Left out of what you pasted:')).toBeVisible();
  const leftOut = page.getByRole('list', { name: 'Left out' });
  await expect
    .element(leftOut)
    .toMatchTextContent(
      /IOE-123456789 Has 9 digits instead of 10 after the letters.*A 123-456-789.*G12345678.*05\/14\/1983.*\(800\) 375-5283/,
    );
  await expect.element(page.getByText('2 / 10')).toBeVisible();
  await expect.element(page.getByRole('list', { name: 'Invalid entries' })).not.toBeInTheDocument();
  await expect.element(button('Check 2 Case(s)')).toBeEnabled();
  await expectAccessible();
  // It stays while one is typed in correctly, and goes with the text.
  await box().fill(`${FIRST}\n${SECOND}\nIOE1234567890`);
  await expect.element(leftOut).toBeVisible();
  await box().fill('');
  await expect.element(leftOut).not.toBeInTheDocument();
});

test.for([
  ['EAC99991034', `EAC99991034\n${FIRST}\nEAC9999103403`, `${FIRST}\nEAC9999103403`],
  ['EAC-9999-10340', `${FIRST}\nEAC\u20139999\u201310340\n`, `${FIRST}\n`],
  ['EAC 9999 10340', `EAC  9999  10340\n${FIRST}`, FIRST],
  ['EAC99 991 0340', `${FIRST}, EAC99 991 0340`, FIRST],
  ['EAC9999', `EAC9999103403\nEAC9999\n${FIRST}`, `EAC9999103403\n${FIRST}`],
] as const)(
  'removing %s takes the line that was meant out of the box',
  async ([entry, text, expected], { api }) => {
    await showBulkSearch(api);
    await box().fill(text);
    await button(`Remove ${entry}`).click();
    await expect.element(box()).toHaveValue(expected);
    await expect.element(box()).toHaveFocus();
    await expect.element(page.getByRole('list', { name: 'Invalid entries' })).not.toBeInTheDocument();
  },
);

test('5,000 pasted lines are counted and refused at once', async ({ api }) => {
  await showBulkSearch(api);
  const lines = Array.from({ length: 5_000 }, (_, at) => `Case ${at}: EAC${String(at).padStart(10, '0')}`);
  await box().click();
  pasteText(lines.join('\n'));
  await expect.element(page.getByText('5000 / 10')).toBeVisible();
  await expect.element(button('Check 5000 Case(s)')).toBeDisabled();
  pasteText(lines.map((line) => line.slice(0, -1)).join('\n'));
  await expect.element(page.getByText('5000 / 10')).toBeVisible();
});

test('the results of a bulk search come again when going back, without those taken off the screen', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST) },
    { success: false, receiptNumber: SECOND, error: 'The agency is on holiday' },
  ]);
  await showApp('/', { withBack: true });
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  await box().fill([FIRST, SECOND].join('\n'));
  await button('Check 2 Case(s)').click();
  await expect.element(page.getByRole('region', { name: 'Results' })).toHaveFocus();
  await button(`Remove ${SECOND} from the results`).click();
  await expect.element(card(SECOND)).not.toBeInTheDocument();
  await card(FIRST).getByRole('link', { name: FIRST }).click();
  await expect.element(page.getByRole('heading', { name: FIRST, level: 1 })).toBeVisible();
  await button('Back in history').click();
  await expect.element(card(FIRST)).toBeVisible();
  await expect.element(card(SECOND)).not.toBeInTheDocument();
  await expect.element(box()).toHaveValue([FIRST, SECOND].join('\n'));
  // The page of the case was filled with what the bulk search had brought.
  expect([api.count(endpoints.lookUpCases), api.count(endpoints.lookUpCase)]).toEqual([1, 0]);
});

test('above the results all are saved at once and that can be undone, and the failed ones are asked again', async ({
  api,
}) => {
  const cases = [savedCase(FIRST)];
  await showBulkSearch(api);
  const asked: (string | undefined)[] = [];
  api.serves(endpoints.listSavedCases, ({ query }) => {
    asked.push(query.receiptNumbers);
    return cases;
  });
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST) },
    {
      success: true,
      receiptNumber: SECOND,
      data: caseResult(SECOND, { caseStatus: 'Interview Was Scheduled' }),
    },
    { success: false, receiptNumber: THIRD, error: 'The agency is on holiday' },
  ]);
  await box().fill([FIRST, SECOND, THIRD].join('\n'));
  await button('Check 3 Case(s)').click();
  const summary = page.getByRole('region', { name: '3 results, 1 without a status' });
  await expect.element(summary).toBeVisible();
  await expect.element(card(SECOND)).toMatchTextContent(/Interview Was Scheduled.*Needs action.*I-130/);
  await expect.element(card(THIRD)).toMatchTextContent('The agency is on holiday');
  expect(new Set(asked), 'one read for all cards').toEqual(new Set([[FIRST, SECOND, THIRD].join()]));
  await expectAccessible();

  const imports = api.holds(endpoints.importSavedCases);
  await button('Save all (1)').click();
  await expect.poll(() => imports[0]?.body.cases.map(({ receiptNumber }) => receiptNumber)).toEqual([SECOND]);
  keepsCases(api, [...cases, savedCase(SECOND)]);
  imports[0]?.answer({ results: [{ receiptNumber: SECOND, outcome: 'changed' }] });
  await expectToast('Cases saved', '1 case saved.');
  await expect.element(button('All saved')).toHaveFocus();
  const changes = api.holds(endpoints.changeSavedCases);
  await button('Undo').click();
  await expect.poll(() => changes[0]?.body).toEqual({ action: 'remove', receiptNumbers: [SECOND] });
  keepsCases(api, cases);
  changes[0]?.answer({ results: [{ receiptNumber: SECOND, outcome: 'changed' }] });
  await expect.element(button('Save all (1)')).toBeVisible();

  const again = api.holds(endpoints.lookUpCases);
  await button('Retry failed (1)').click();
  await expect.poll(() => again[0]?.body).toEqual({ receiptNumbers: [THIRD] });
  await expect.element(button('Retrying...')).toHaveFocus();
  await expect.element(page.getByText('Checking...', { exact: true })).toBeInTheDocument();
  again[0]?.answer([{ success: false, receiptNumber: THIRD, error: 'Still closed' }]);
  await expect.element(card(THIRD)).toMatchTextContent('Still closed');
  await expect.element(button('Retry failed (1)')).toHaveFocus();
  await button('Retry failed (1)').click();
  await expect.poll(() => again.length).toBe(2);
  again[1]?.answer([{ success: true, receiptNumber: THIRD, data: caseResult(THIRD) }]);
  await expect.element(page.getByRole('region', { name: '3 results', exact: true })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Results', exact: true })).toHaveFocus();
  await expect.element(page.getByText('Results: 3', { exact: true })).toBeInTheDocument();
});

test('ten results are ten short cards, sorted by what needs action, whose details and history open on demand', async ({
  api,
}) => {
  await showBulkSearch(api);
  const numbers = Array.from({ length: 10 }, (_, at) => `EAC00000001${String(at).padStart(2, '0')}`);
  const [urgent = '', failed = ''] = [numbers[8], numbers[9]];
  api.answers(
    endpoints.lookUpCases,
    numbers.map((receiptNumber) =>
      receiptNumber === failed
        ? { success: false, receiptNumber, error: 'The agency is on holiday' }
        : {
            success: true,
            receiptNumber,
            data: caseResult(receiptNumber, {
              caseStatus:
                receiptNumber === urgent
                  ? 'Request for Additional Evidence Was Sent'
                  : 'Case Was Transferred And A New Office Has Jurisdiction',
              caseDescription: `About ${receiptNumber}`,
              histCaseData: [historyEntry('Case Was Received', '2024-02-29 10:00:00')],
            }),
          },
    ),
  );
  await box().fill(numbers.join('\n'));
  await button('Check 10 Case(s)').click();
  const cards = page.getByRole('article');
  await expect.poll(() => cards.elements().length).toBe(10);
  const results = page.getByRole('region', { name: 'Results', exact: true });
  expect(results.element().getBoundingClientRect().height).toBeLessThan(1_100);
  await expectAccessible('ten results');

  await page.getByRole('combobox', { name: 'Sort by' }).selectOptions('Needs action first');
  await expect.element(cards.first()).toMatchTextContent(urgent);
  const words = cards.first().getByText(`About ${urgent}`);
  const details = cards.first().getByRole('button', { name: 'Details' });
  await expect.element(words).not.toBeVisible();
  await details.click();
  await expect.element(details).toHaveAttribute('aria-expanded', 'true');
  await expect.element(words).toBeVisible();
  const step = cards.first().getByText('Feb 29, 2024');
  await expect.element(step).not.toBeVisible();
  await cards.first().getByRole('button', { name: 'Case history (1)' }).click();
  await expect.element(step).toBeVisible();
  await expectAccessible('results with details');
});

test('a case without a history has none to open', async ({ api }) => {
  await showBulkSearch(api);
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST, { histCaseData: [] }) },
  ]);
  await box().fill(FIRST);
  await button('Check 1 Case(s)').click();
  await expect.element(button('Details')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Case history/ })).not.toBeInTheDocument();
});

test('the results are copied for a spreadsheet and exported as a file; what fails says what to do', async ({
  api,
}) => {
  await showBulkSearch(api);
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST, { caseLastUpdated: '2026-01-05' }) },
    { success: false, receiptNumber: SECOND },
  ]);
  await box().fill([FIRST, SECOND].join('\n'));
  await button('Check 2 Case(s)').click();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await button('Copy').click();
  await expectToast('Results copied');
  expect(write).toHaveBeenCalledWith(
    `${FIRST}\tCase Was Received\tI-130\tJan 5, 2026\n${SECOND}\tFailed to fetch case status\t\t`,
  );
  write.mockRejectedValueOnce(new Error('denied'));
  await button('Copy').click();
  await expectToast('Error', 'The results could not be copied. Export them instead.');
  write.mockRestore();

  const files: Blob[] = [];
  const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return '#';
  });
  await button('Export CSV').click();
  expect(await files[0]?.text()).toContain(`"${FIRST}","Case Was Received","I-130","Jan 5, 2026"\r\n`);
  make.mockRestore();
  await expect.element(button('Export CSV')).toHaveFocus();
});

test('a bulk search can be canceled', async ({ api }) => {
  await showBulkSearch(api);
  const asked = api.holds(endpoints.lookUpCases);
  await box().fill([FIRST, SECOND].join('\n'));
  await button('Check 2 Case(s)').click();
  await expect.element(page.getByText('Checking 2 cases with the agency...')).toBeVisible();
  await expect.poll(() => asked.length).toBe(1);
  await button('Cancel').click();
  await expect.element(box()).toHaveFocus();
  expect(asked[0]?.aborted).toBe(true);
});

test('at 320 px a result keeps its receipt number on one line, beside its buttons', async ({ api }) => {
  await page.viewport(320, 640);
  await showBulkSearch(api);
  api.answers(endpoints.lookUpCases, [{ success: true, receiptNumber: FIRST, data: caseResult(FIRST) }]);
  await box().fill(FIRST);
  await button('Check 1 Case(s)').click();
  const title = card(FIRST).getByRole('heading', { name: FIRST });
  await expect.element(title).toBeVisible();
  const range = document.createRange();
  range.selectNodeContents(title.element());
  expect(new Set([...range.getClientRects()].map(({ top }) => top)).size).toBe(1);
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  // The longer word.
  await showLanguage('es');
  const save = card(FIRST).getByRole('button', { name: /^Guardar/ });
  await expect.element(save).toBeVisible();
  expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(
    save.element().getBoundingClientRect().left,
  );
  await showLanguage('en');
  await page.viewport(1280, 800);
});
