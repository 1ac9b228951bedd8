import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { NavLink } from 'react-router-dom';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Tooltip, TooltipProvider } from '../../components/tooltip/tooltip.tsx';

interface Entry {
  to: string;
  label: MessageDescriptor;
  icon: IconName;
  testId: string;
}

const ENTRIES: readonly Entry[] = [
  { to: '/', label: msg`Search`, icon: 'search', testId: 'nav-home' },
  { to: '/saved-cases', label: msg`Saved Cases`, icon: 'bookmark', testId: 'nav-saved-cases' },
  { to: '/profile', label: msg`Profile`, icon: 'user', testId: 'nav-profile' },
];

interface SidebarNavProps {
  /** Icons alone, each with its label as a tooltip. */
  collapsed: boolean;
  onNavigate?: () => void;
}

/** Renders the entries of the main navigation; the entry of the current screen is highlighted and marked `aria-current`. */
export function SidebarNav({ collapsed, onNavigate }: SidebarNavProps) {
  return (
    <TooltipProvider delayMs={0}>
      <ul className="sidebar-list">
        {ENTRIES.map(({ to, label, icon, testId }) => (
          <li key={to}>
            <Tooltip text={i18n._(label)} placement="right" disabled={!collapsed}>
              <NavLink to={to} end className="sidebar-link" data-testid={testId} onClick={onNavigate}>
                <Icon name={icon} size={20} />
                <span className={collapsed ? 'visually-hidden' : ''}>{i18n._(label)}</span>
              </NavLink>
            </Tooltip>
          </li>
        ))}
      </ul>
    </TooltipProvider>
  );
}
