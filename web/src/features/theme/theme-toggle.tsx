import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { keepTheme, otherTheme, subscribeToTheme, type Theme, themeInForce } from './theme.ts';

/** Switches between light and dark. Both icons are there and the style sheet shows one: no flash, no mismatch. */
export function ThemeToggle() {
  const { theme, toggleTheme } = useTheme();
  const name = themeToggleName(theme);
  return (
    <Tooltip text={name} placement="bottom">
      <button
        type="button"
        className="icon-button"
        onClick={toggleTheme}
        aria-label={name}
        data-testid="theme-toggle"
      >
        <Icon name="moon" size={20} className="only-light" />
        <Icon name="sun" size={20} className="only-dark" />
      </button>
    </Tooltip>
  );
}

/** Returns what the button says while a theme is in force. */
export function themeToggleName(theme: Theme): string {
  return theme === 'dark' ? t`Switch to light theme` : t`Switch to dark theme`;
}

/** Returns the theme in force and a way to switch it; every tab of the browser follows. */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const theme = useSyncExternalStore(subscribeToTheme, themeInForce, () => 'light' as const);
  return { theme, toggleTheme: () => keepTheme(otherTheme(theme)) };
}
