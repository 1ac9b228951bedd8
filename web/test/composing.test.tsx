import type { CDPSession } from 'playwright';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { button, expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'EAC9999103403';
const single = () => page.getByLabelText('Receipt Number', { exact: true });
const bulk = () => page.getByLabelText('Receipt Numbers');

// Vitest's type of a session has no methods; the provider's one is Playwright's.
const send = (method: Parameters<CDPSession['send']>[0], parameters: object) =>
  (cdp() as unknown as { send: (method: string, parameters: object) => Promise<unknown> }).send(
    method,
    parameters,
  );
/** Types as a composing keyboard does: what is typed so far replaces what was, until it is committed. */
async function compose(steps: readonly string[]): Promise<void> {
  for (const text of steps)
    await send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
}
const commit = (text: string) => send('Input.insertText', { text });
const lettersOf = (text: string) => Array.from(text, (_, at) => text.slice(0, at + 1));

async function showLookup(api: FakeApi, tab: 'Single Case' | 'Bulk Search'): Promise<Locator> {
  signedIn(api, PRO_USER);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  api.answers(endpoints.lookUpCases, []);
  await showApp('/');
  await page.getByRole('tab', { name: tab }).click();
  const field = tab === 'Single Case' ? single() : bulk();
  await field.click();
  return field;
}

const TYPED = [
  ['small letters', 'eac9999103403', NUMBER],
  ['full-width letters', 'ｅａｃ９９９９１０３４０３', NUMBER],
  ['Cyrillic letters', 'еас9999103403', NUMBER],
  ['digits of another script', 'eac९९९९१०३४०३', 'EAC९९९९१०३४०३'],
  ['spaces', 'eac 99 991 03403', 'EAC 99 991 03403'],
] as const;

test.for(
  TYPED.flatMap(([what, text, upper]) =>
    (['Single Case', 'Bulk Search'] as const).map((tab) => [what, tab, text, upper] as const),
  ),
)(
  '%s composed in %s stay as the keyboard has them until it is done',
  async ([, tab, text, upper], { api }) => {
    const field = await showLookup(api, tab);
    for (const step of lettersOf(text)) {
      await compose([step]);
      await expect.element(field).toHaveValue(step);
    }
    await commit(text);
    await expect.element(field).toHaveValue(upper);
    await button(tab === 'Single Case' ? 'Check Status' : 'Check 1 Case(s)').click();
    await expect
      .poll(() => api.count(tab === 'Single Case' ? endpoints.lookUpCase : endpoints.lookUpCases))
      .toBe(1);
  },
);

test('what is composed in the middle of a receipt number leaves the caret there', async ({ api }) => {
  const field = await showLookup(api, 'Single Case');
  await field.fill('EAC9103403');
  const input = field.element() as HTMLInputElement;
  input.setSelectionRange(4, 4);
  await compose(['９', '９９', '９９９']);
  await commit('999');
  await expect.element(field).toHaveValue(NUMBER);
  expect(input.selectionStart).toBe(7);
});

test('Enter while composing looks nothing up; Enter after it does', async ({ api }) => {
  const field = await showLookup(api, 'Single Case');
  await compose(lettersOf('eac9999103403'));
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveFocus();
  expect(api.count(endpoints.lookUpCase)).toBe(0);
  await commit('eac9999103403');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => api.count(endpoints.lookUpCase)).toBe(1);
});

test('a nickname, tags and the search are composed in peace: Enter saves nothing yet, Escape closes nothing', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  // Up to five cases have no search.
  const others = Array.from({ length: 5 }, (_, nth) => savedCase(`SRC219000000${nth}`, { nickname: 'Ana' }));
  keepsCases(api, [savedCase(NUMBER), ...others]);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await button('Add nickname').click();
  const nickname = page.getByLabelText(`Nickname of ${NUMBER}`);
  await compose(['か', 'かあ', 'かあさ', 'かあさん']);
  await expect.element(nickname).toHaveValue('かあさん');
  for (const key of ['Enter', 'Escape']) {
    const event = new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true });
    nickname.element().dispatchEvent(event);
    await userEvent.keyboard(`{${key}}`);
  }
  await expect.element(nickname).toHaveValue('かあさん');
  expect(changes).toEqual([]);
  await commit('母さん');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes[0]?.body).toMatchObject({ nickname: '母さん' });

  const search = page.getByRole('searchbox');
  await search.click();
  await compose(['ga', 'gar', 'garc', 'garcí', 'garcía ']);
  await expect.element(search).toHaveValue('garcía ');
  await commit('garcía ');
  await expect.element(search).toHaveValue('garcía ');
});
