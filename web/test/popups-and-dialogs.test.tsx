import { page, userEvent } from 'vitest/browser';
import { button, expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { savedCase } from './samples.ts';

const focused = () => document.activeElement;

test.for([
  ['notifications-bell', 'dialog'],
  ['user-menu', 'menu'],
] as const)(
  'Escape closes what drops from the %s and gives the focus back to its button',
  async ([id, role], { api }) => {
    signedIn(api);
    await showApp('/saved-cases');
    await page.getByTestId(id).click();
    await expect.element(page.getByRole(role)).toBeVisible();
    await expect.poll(() => page.getByTestId(id).element().parentElement?.contains(focused())).toBe(true);
    expect(focused()).not.toBe(page.getByTestId(id).element());
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole(role)).not.toBeInTheDocument();
    await expect.element(page.getByTestId(id)).toHaveFocus();
  },
);

test('the theme, the bell and the user menu say what they are when they are pointed at', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  for (const [tool, text] of [
    [page.getByRole('button', { name: /dark|light/i }), /dark|light/i],
    [page.getByTestId('notifications-bell'), 'Notifications'],
    [page.getByTestId('user-menu'), 'User menu'],
  ] as const) {
    await userEvent.hover(tool);
    await expect.element(page.getByRole('tooltip')).toMatchTextContent(text);
  }
});

test('a popup closes when the focus moves away, and leaves it there', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  await page.getByTestId('user-menu').click();
  await expect.element(page.getByRole('menuitem', { name: 'Log out' })).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{Tab}{/Shift}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(page.getByTestId('notifications-bell')).toHaveFocus();
});

test('Tab goes round inside a dialog, both ways, and the focus is never outside', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  await showApp('/saved-cases');
  await button('Remove WAC0000000004').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toHaveFocus();
  const strays: EventTarget[] = [];
  const noteStray = ({ target }: FocusEvent) => {
    if (target instanceof Node && !dialog.element().contains(target)) strays.push(target);
  };
  document.addEventListener('focusin', noteStray);

  await userEvent.tab({ shift: true });
  await expect.element(dialog.getByRole('button', { name: 'Remove' })).toHaveFocus();
  await userEvent.tab();
  const first = dialog.getByRole('button').first();
  await expect.element(first).toHaveFocus();
  await userEvent.tab({ shift: true });
  await expect.element(dialog.getByRole('button', { name: 'Remove' })).toHaveFocus();
  document.removeEventListener('focusin', noteStray);
  expect(strays).toEqual([]);

  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button('Remove WAC0000000004')).toHaveFocus();
});
