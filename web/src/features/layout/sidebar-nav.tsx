import { NavLink } from 'react-router-dom';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Tooltip, TooltipProvider } from '../../components/tooltip/tooltip.tsx';

interface Entry {
  to: string;
  label: string;
  icon: IconName;
  testId: string;
}

const ENTRIES: readonly Entry[] = [
  { to: '/', label: 'Search', icon: 'search', testId: 'nav-home' },
  { to: '/saved-cases', label: 'Saved Cases', icon: 'bookmark', testId: 'nav-saved-cases' },
  { to: '/profile', label: 'Profile', icon: 'user', testId: 'nav-profile' },
];

interface SidebarNavProps {
  /** Icons alone, each with its label as a tooltip. */
  collapsed: boolean;
  onNavigate?: () => void;
}

/** The entries of the main navigation; the entry of the current screen is highlighted and marked `aria-current`. */
export function SidebarNav({ collapsed, onNavigate }: SidebarNavProps) {
  return (
    <TooltipProvider delayMs={0}>
      <ul className="sidebar-list">
        {ENTRIES.map(({ to, label, icon, testId }) => (
          <li key={to}>
            <Tooltip text={label} placement="right" disabled={!collapsed}>
              <NavLink to={to} end className="sidebar-link" data-testid={testId} onClick={onNavigate}>
                <Icon name={icon} size={20} />
                <span className={collapsed ? 'visually-hidden' : ''}>{label}</span>
              </NavLink>
            </Tooltip>
          </li>
        ))}
      </ul>
    </TooltipProvider>
  );
}
