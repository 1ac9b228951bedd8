import { Icon } from '../../components/icon.tsx';
import { otherTheme } from './theme.ts';
import { useTheme } from './use-theme.ts';

/** Switches between light and dark. Both icons are there and the style sheet shows one: no flash, no mismatch. */
export function ThemeToggle() {
  const { theme, toggleTheme } = useTheme();
  return (
    <button
      type="button"
      className="icon-button"
      onClick={toggleTheme}
      aria-label={`Switch to ${otherTheme(theme)} theme`}
      data-testid="theme-toggle"
    >
      <Icon name="moon" size={20} className="only-light" />
      <Icon name="sun" size={20} className="only-dark" />
    </button>
  );
}
