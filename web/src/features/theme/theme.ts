export type Theme = 'light' | 'dark';

/** The name under which the choice is kept in local storage. `theme-boot.js` reads it too. */
export const THEME_KEY = 'theme';

/** What a stored value means: anything but 'dark' is light, the default. */
export function parseTheme(stored: string | null): Theme {
  return stored === 'dark' ? 'dark' : 'light';
}

export function otherTheme(theme: Theme): Theme {
  return theme === 'dark' ? 'light' : 'dark';
}
