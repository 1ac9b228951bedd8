import { afterEach, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { expect, showApp, signedIn, test } from './component-test.tsx';

const menu = () => page.getByTestId('user-menu');
const item = (name: string) => page.getByRole('menuitem', { name });

afterEach(() => void vi.restoreAllMocks());

/** As the browser offers to install the app; returns what asks its user. */
function offerToInstall() {
  const prompt = vi.fn(() => Promise.resolve({ outcome: 'accepted' }));
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  window.dispatchEvent(event);
  expect(event.defaultPrevented, 'the browser shows no banner of its own').toBe(true);
  return prompt;
}

test.for([
  ['en', 'Saved Cases', 'Install Casewatch', 'Log out'],
  ['es', 'Casos guardados', 'Instalar Casewatch', 'Cerrar sesión'],
] as const)(
  'where the browser offered it before the app was there, the user menu installs it, in %s and with the keyboard',
  async ([language, title, install, logOut], { api }) => {
    const prompt = offerToInstall();
    await showLanguage(language);
    signedIn(api);
    await showApp('/saved-cases');
    await expect.element(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await menu().click();
    await expect.element(item(install)).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(item(logOut)).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(item(install)).toHaveFocus();
    await expectAccessible();
    await userEvent.keyboard('{Enter}');
    expect(prompt).toHaveBeenCalledOnce();
    await expect.element(menu()).toHaveFocus();
    // An offer can be taken up once.
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(item(logOut)).toHaveFocus();
    await expect.element(item(install)).not.toBeInTheDocument();
  },
);

test('an app that is installed in another way is no longer offered', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  await menu().click();
  await expect.element(item('Log out')).toHaveFocus();
  await expect.element(item('Install Casewatch')).not.toBeInTheDocument();
  const prompt = offerToInstall();
  await expect.element(item('Install Casewatch')).toBeVisible();
  window.dispatchEvent(new Event('appinstalled'));
  await expect.element(item('Install Casewatch')).not.toBeInTheDocument();
  expect(prompt).not.toHaveBeenCalled();
});

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const BY_HAND = 'To install Casewatch, tap Share, then “Add to Home Screen”.';

test.for([
  ['an iPhone', false, BY_HAND, IPHONE, 5],
  ['an iPhone', true, '', IPHONE, 5],
  ['an iPad', false, BY_HAND, MAC, 5],
  ['an iPad', true, '', MAC, 5],
  ['a Mac', false, '', MAC, 0],
] as const)(
  'on %s, where the app is on the Home Screen: %s, the menu says “%s”',
  async ([_device, isInstalled, description, userAgent, touchPoints], { api }) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(touchPoints);
    const matchMedia = window.matchMedia.bind(window);
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      matchMedia(query === '(display-mode: standalone)' ? (isInstalled ? 'all' : 'not all') : query),
    );
    signedIn(api);
    await showApp('/saved-cases');
    await menu().click();
    await expect.element(page.getByRole('menu')).toHaveAccessibleDescription(description);
    await expectAccessible();
  },
);
