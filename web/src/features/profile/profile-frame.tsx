import './profile.scss';
import type { AppPage } from '@casewatch/contracts/app-pages';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import { PageHeading } from '../../components/page-heading.tsx';

const SECTIONS: readonly { to: AppPage; name: MessageDescriptor }[] = [
  { to: '/profile', name: msg`Account and plan` },
  { to: '/profile/notifications', name: msg`Notifications` },
  { to: '/profile/security', name: msg`Security` },
  { to: '/profile/data', name: msg`Data` },
];

interface ProfileFrameProps {
  title: string;
  subtitle: string;
  children: ReactNode;
}

/** Renders a section of the profile beneath its heading and the links to all sections. */
export function ProfileFrame({ title, subtitle, children }: ProfileFrameProps) {
  return (
    <div className="profile-page">
      <PageHeading title={title} subtitle={subtitle} />
      <nav className="section-nav" aria-label={t`Sections of the profile`}>
        <ul>
          {SECTIONS.map(({ to, name }) => (
            <li key={to}>
              <NavLink to={to} end ref={showWhole}>
                {i18n._(name)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}

/** Scrolls the row of links, on narrow screens, to the one of this section. */
function showWhole(link: HTMLAnchorElement | null): void {
  const row = link?.closest('ul');
  if (!link || !row || link.getAttribute('aria-current') !== 'page') return;
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}
