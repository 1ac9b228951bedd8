import { useSyncExternalStore } from 'react';
import { keepTheme, otherTheme, subscribeToTheme, type Theme, themeInForce } from './theme.ts';

/** Returns the theme in force and a way to switch it; every tab of the browser follows. */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const theme = useSyncExternalStore(subscribeToTheme, themeInForce, () => 'light' as const);
  return { theme, toggleTheme: () => keepTheme(otherTheme(theme)) };
}
