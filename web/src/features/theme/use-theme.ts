import { useSyncExternalStore } from 'react';
import { otherTheme, parseTheme, THEME_KEY, type Theme } from './theme.ts';

const CHANGED = 'casewatch:theme';

/** The theme in force and a way to switch it; every tab of the browser follows. */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, themeInForce, themeOnServer);
  return { theme, toggleTheme: () => keepTheme(otherTheme(theme)) };
}

function keepTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage is forbidden or full: the theme holds until the page is left.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.classList.toggle('dark', theme === 'dark');
  root.setAttribute('data-bs-theme', theme);
  root.style.colorScheme = theme;
}

function subscribe(onChange: () => void): () => void {
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

function themeInForce(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

/** The prerendered page can't know the choice; it is put right when the page comes alive. */
function themeOnServer(): Theme {
  return 'light';
}
