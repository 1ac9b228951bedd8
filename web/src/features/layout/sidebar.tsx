import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { NavLink } from 'react-router-dom';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Tooltip, TooltipProvider } from '../../components/tooltip/tooltip.tsx';
import { Brand } from './brand.tsx';
import type { SidebarState } from './use-sidebar.ts';

/** Renders the sidebar: a column on wide windows, a side sheet with a focus trap on narrow ones. */
export function Sidebar({ sidebar }: { sidebar: SidebarState }) {
  if (!sidebar.isMobile) {
    const state = sidebar.expanded ? 'expanded' : 'collapsed';
    return (
      <nav className="sidebar" aria-label={t`Main`} data-state={state} data-testid="sidebar">
        <Brand compact={!sidebar.expanded} />
        <SidebarNav collapsed={!sidebar.expanded} />
      </nav>
    );
  }

  return <SidebarSheet show={sidebar.sheetOpen} onClose={sidebar.closeSheet} />;
}

/** After a link the focus goes to the heading of the screen, after any other way out back to where it was. */
function SidebarSheet({ show, onClose }: { show: boolean; onClose: () => void }) {
  const [leftByLink, setLeftByLink] = useState(false);
  const leaveByLink = () => {
    setLeftByLink(true);
    onClose();
  };
  const focusHeading = () => {
    if (leftByLink) document.querySelector<HTMLElement>('#main h1')?.focus();
  };

  return (
    <Modal
      show={show}
      onHide={onClose}
      onShow={() => setLeftByLink(false)}
      onExited={focusHeading}
      restoreFocus={!leftByLink}
      animation={false}
      className="sidebar-sheet"
      aria-label={t`Sidebar`}
    >
      <div className="sidebar-sheet-head">
        <Brand />
        <button type="button" className="icon-button" aria-label={t`Close sidebar`} onClick={onClose}>
          <Icon name="x" size={20} />
        </button>
      </div>
      <nav aria-label={t`Main`}>
        <SidebarNav collapsed={false} onNavigate={leaveByLink} />
      </nav>
    </Modal>
  );
}

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
function SidebarNav({ collapsed, onNavigate }: SidebarNavProps) {
  return (
    <TooltipProvider delayMs={0}>
      <ul className="sidebar-list">
        {ENTRIES.map(({ to, label, icon, testId }) => (
          <li key={to}>
            <Tooltip text={i18n._(label)} placement="right" disabled={!collapsed}>
              <NavLink to={to} className="sidebar-link" data-testid={testId} onClick={onNavigate}>
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
