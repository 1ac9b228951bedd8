import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './use-sidebar.ts';
import { UserMenu } from './user-menu.tsx';

interface SignedInLayoutProps {
  user: User;
  /** More tools for the header, before the user menu. */
  headerTools?: ReactNode;
  /** The notices over every screen. */
  notice?: ReactNode;
  children: ReactNode;
}

/** Renders the frame of every signed-in screen: sidebar, header and the main area. */
export function SignedInLayout({ user, headerTools, notice, children }: SignedInLayoutProps) {
  const sidebar = useSidebar();
  const client = useQueryClient();
  const navigate = useNavigate();
  const goTo = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void import('../push/follow-pushes.ts')
      .then(({ followPushes }) => {
        if (!isOver) stop = followPushes(user.id, client, goTo);
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [user.id, client]);
  return (
    <div className="app-frame">
      <a className="skip-link" href="#main">
        <Trans>Skip to main content</Trans>
      </a>
      <Sidebar sidebar={sidebar} />
      <div className="app-column">
        <AppHeader user={user} onToggleSidebar={sidebar.toggle} tools={headerTools} />
        {notice}
        <main id="main" className="app-main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

interface AppHeaderProps {
  user: User;
  onToggleSidebar: () => void;
  /** What stands between the theme toggle and the user menu. */
  tools?: ReactNode;
}

/** Renders the bar on top of every signed-in screen. */
function AppHeader({ user, onToggleSidebar, tools }: AppHeaderProps) {
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
