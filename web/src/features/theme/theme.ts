export type Theme = 'light' | 'dark';

/** The name under which the choice is kept in local storage. `theme-boot.js` reads it too. */
export const THEME_KEY = 'theme';

/** The color of the browser's own bars: the page's background, as `_tokens.scss` has it. */
const BAR_COLORS: Record<Theme, string> = { light: '#f6f4ef', dark: '#0f1716' };

const CHANGED = 'casewatch:theme';

/** Returns what a stored value means: anything but 'dark' is light, the default. */
export function parseTheme(stored: string | null): Theme {
  return stored === 'dark' ? 'dark' : 'light';
}

export function otherTheme(theme: Theme): Theme {
  return theme === 'dark' ? 'light' : 'dark';
}

export function themeInForce(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

/** Applies a theme here and in the browser's other tabs, and keeps it for the next visit. */
export function keepTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage is forbidden or full: the theme holds until the page is left.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Calls the listener after every change of the theme, and follows those of other tabs. Returns what ends that. */
export function subscribeToTheme(onChange: () => void): () => void {
  const followOtherTabs = (event: StorageEvent) => {
    // The key is null when another tab cleared the whole storage.
    if (event.key !== THEME_KEY && event.key !== null) return;
    applyTheme(parseTheme(event.newValue));
    onChange();
  };
  window.addEventListener('storage', followOtherTabs);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', followOtherTabs);
    window.removeEventListener(CHANGED, onChange);
  };
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.classList.toggle('dark', theme === 'dark');
  root.setAttribute('data-bs-theme', theme);
  root.style.colorScheme = theme;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', BAR_COLORS[theme]);
}
