import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { UserMenu } from './user-menu.tsx';

interface AppHeaderProps {
  user: User;
  onToggleSidebar: () => void;
  /** What stands between the theme toggle and the user menu. */
  tools?: ReactNode;
}

/** Renders the bar on top of every signed-in screen. */
export function AppHeader({ user, onToggleSidebar, tools }: AppHeaderProps) {
  return (
    <header className="app-header">
      <Tooltip text={t`Toggle sidebar (Ctrl+B)`} placement="bottom">
        <button
          type="button"
          className="icon-button"
          aria-label={t`Toggle sidebar`}
          onClick={onToggleSidebar}
          data-testid="sidebar-toggle"
        >
          <Icon name="panel-left" size={20} />
        </button>
      </Tooltip>
      <div className="app-header-tools">
        <ThemeToggle />
        {tools}
        <UserMenu user={user} />
      </div>
    </header>
  );
}
