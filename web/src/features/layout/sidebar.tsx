import { t } from '@lingui/core/macro';
import { useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Icon } from '../../components/icon.tsx';
import { Brand } from './brand.tsx';
import { SidebarNav } from './sidebar-nav.tsx';
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
