import { beforeEach, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { button, expect, expectToast, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { caseResult, PRO_USER, savedCase } from './samples.ts';

const FIRST = 'EAC0000000001';
const SECOND = 'EAC0000000002';

/** As Google Translate does: each text gives way to its translation, which here is the same in guillemets. */
function replaceTexts(): void {
  wrapTexts((text, font) => {
    font.textContent = `«${text.data}»`;
    return font;
  });
}

/** As other translators do: each text goes into the elements of its translation. */
function moveTexts(): void {
  wrapTexts((text, font) => {
    font.append(text);
    return font;
  });
}

function wrapTexts(fill: (text: Text, font: HTMLElement) => HTMLElement): void {
  for (const text of textsOfPage()) {
    const outer = document.createElement('font');
    text.replaceWith(outer);
    outer.append(fill(text, document.createElement('font')));
  }
}

function textsOfPage(): Text[] {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    const isProse = !['SCRIPT', 'STYLE', 'TEXTAREA', 'OPTION'].includes(text.parentElement?.tagName ?? '');
    if (isProse && text.data.trim() !== '' && text.parentElement?.closest('font') === null) texts.push(text);
  }
  return texts;
}

/** As others do it in two steps. */
function replaceInSteps(): void {
  for (const text of textsOfPage()) {
    const font = document.createElement('font');
    font.textContent = `«${text.data}»`;
    text.before(font);
    text.remove();
  }
}

/** As Safari and Firefox do: the texts themselves change. */
function changeTexts(): void {
  for (const text of textsOfPage()) if (!text.data.startsWith('«')) text.data = `«${text.data}»`;
}

/** As Google Translate does where the original is shown again, in new texts. */
function translateAndBack(): void {
  replaceTexts();
  for (const font of document.querySelectorAll('font'))
    if (!font.parentElement?.closest('font')) font.replaceWith((font.textContent ?? '').replace(/[«»]/g, ''));
}

const TRANSLATORS = [
  ['replaces', replaceTexts],
  ['moves', moveTexts],
  ['precedes and removes', replaceInSteps],
  ['rewrites', changeTexts],
  ['restores', translateAndBack],
] as const;
const anyOf = (text: string) => new RegExp(`^«?${text}»?$`);

const failures = vi.fn();
beforeEach(() => {
  failures.mockClear();
  const report = ({ message }: ErrorEvent) => failures(message);
  window.addEventListener('error', report);
  return () => window.removeEventListener('error', report);
});

test.for(TRANSLATORS)(
  'a translator %s texts: Save becomes Saved, and Save again',
  async ([, translate], { api }) => {
    signedIn(api);
    api.answers(endpoints.lookUpCase, caseResult(FIRST));
    await showApp('/');
    await page.getByLabelText('Receipt Number', { exact: true }).fill(FIRST);
    translate();
    const asked = api.holds(endpoints.lookUpCase);
    await button(/Check Status/).click();
    await expect.element(button('Checking...')).toBeVisible();
    await expect.poll(() => asked.length).toBe(1);
    translate();
    asked[0]?.answer(caseResult(FIRST));
    await expect.element(button('Check Status')).toBeVisible();
    translate();
    api.answers(endpoints.saveCase, savedCase(FIRST));
    keepsCases(api, [savedCase(FIRST)]);
    await button(anyOf('Save')).click();
    await expectToast('Case saved');
    await expect.element(button(anyOf('Saved'))).toBeVisible();
    await expect.element(button(anyOf('Save'))).not.toBeInTheDocument();
    translate();
    api.answers(endpoints.removeSavedCase, undefined);
    keepsCases(api, []);
    await button(anyOf('Saved')).click();
    await expect.element(button(anyOf('Save'))).toBeVisible();
    await expect.element(button(anyOf('Saved'))).not.toBeInTheDocument();
    expect(failures).not.toHaveBeenCalled();
  },
);

test.for(TRANSLATORS)('a translator %s texts: Bulk Search counts on', async ([, translate], { api }) => {
  signedIn(api, PRO_USER);
  await showApp('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const box = page.getByLabelText(/Receipt Numbers/);
  await expect.element(page.getByText('0 / 10')).toBeVisible();
  for (const [text, counter, name] of [
    [FIRST, '1 / 10', 'Check 1 Case(s)'],
    [`${FIRST}\n${SECOND}`, '2 / 10', 'Check 2 Case(s)'],
    [`${FIRST}\nEAC\nLIN`, '3 / 10', 'Check 3 Case(s)'],
    [`${FIRST}\nEAC`, '2 / 10', 'Check 2 Case(s)'],
    ['', '0 / 10', 'Check 0 Case(s)'],
  ] as const) {
    translate();
    await box.fill(text);
    await expect.element(page.getByText(counter, { exact: true })).toBeVisible();
    await expect.element(button(name)).toBeVisible();
    const invalid = text.split('\n').filter((line) => line.length === 3).length;
    const message = page.getByText(`${invalid} invalid receipt number(s) (format: 3 letters + 10 digits)`);
    if (invalid > 0) await expect.element(message).toBeVisible();
    else await expect.element(page.getByText(/invalid receipt/)).not.toBeInTheDocument();
  }
  expect(failures).not.toHaveBeenCalled();
});

test.for(TRANSLATORS)(
  'a translator %s texts: saved cases change their words',
  async ([, translate], { api }) => {
    signedIn(api, PRO_USER);
    keepsCases(api, [savedCase(FIRST), savedCase(SECOND)]);
    await showApp('/saved-cases');
    await expect.element(button(/Add nickname/).first()).toBeVisible();
    translate();
    api.answers(endpoints.changeSavedCase, savedCase(FIRST, { nickname: 'Mother' }));
    await button(/Add nickname/)
      .first()
      .click();
    await page.getByLabelText(`Nickname of ${FIRST}`).fill('Mother');
    translate();
    keepsCases(api, [savedCase(FIRST, { nickname: 'Mother' }), savedCase(SECOND)]);
    await button(anyOf('Save')).click();
    await expect.element(page.getByText('Mother', { exact: true })).toBeVisible();
    translate();
    await page.getByRole('link', { name: /Search/ }).click();
    await expect.element(page.getByRole('heading', { name: 'Immigration Case Status' })).toBeVisible();
    translate();
    await page.getByRole('link', { name: /Saved Cases/ }).click();
    await expect.element(page.getByText('Mother', { exact: true })).toBeVisible();
    expect(failures).not.toHaveBeenCalled();
  },
);
