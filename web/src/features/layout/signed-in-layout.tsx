import type { User } from '@casewatch/contracts/identity';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { AppHeader } from './app-header.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './use-sidebar.ts';

interface SignedInLayoutProps {
  user: User;
  /** More tools for the header, before the user menu. */
  headerTools?: ReactNode;
  /** What has to be said over every screen. */
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
