import { Icon } from '../../components/icon.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { otherTheme } from './theme.ts';
import { useTheme } from './use-theme.ts';

/** Switches between light and dark. Both icons are there and the style sheet shows one: no flash, no mismatch. */
export function ThemeToggle() {
  const { theme, toggleTheme } = useTheme();
  const name = `Switch to ${otherTheme(theme)} theme`;
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
