import { type AdminPermission, isPermitted } from '@casewatch/contracts/admin-roles';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import Nav from 'react-bootstrap/Nav';
import Tab from 'react-bootstrap/Tab';
import { useSearchParams } from 'react-router-dom';
import { Icon, type IconName } from '../../components/icon.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { LogsTab } from './logs/logs-tab.tsx';
import { ROLE_WORDS } from './shared/admin-words.tsx';

const SurveysTab = lazy(async () => ({
  default: (await import('./surveys/surveys-tab.tsx')).SurveysTab,
}));
const AuditTab = lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab }));
const DemonstrationTab = lazy(async () => ({
  default: (await import('./demonstration/demonstration-tab.tsx')).DemonstrationTab,
}));
const AccountTab = lazy(async () => ({
  default: (await import('./account/account-tab.tsx')).AccountTab,
}));
const AdministratorsTab = lazy(async () => ({
  default: (await import('./administrators/administrators-tab.tsx')).AdministratorsTab,
}));

interface AdminTab {
  key: string;
  label: string;
  icon: IconName;
  Content: ComponentType;
  /** Without it the tab is not shown. */
  needs: AdminPermission;
}

const FIRST: AdminTab = {
  key: 'logs',
  label: 'API Logs',
  icon: 'layers',
  Content: LogsTab,
  needs: 'logs.read',
};
const TABS: readonly AdminTab[] = [
  FIRST,
  { key: 'surveys', label: 'Surveys', icon: 'file', Content: SurveysTab, needs: 'surveys.read' },
  { key: 'audit', label: 'Audit trail', icon: 'history', Content: AuditTab, needs: 'audit.read' },
  {
    key: 'demonstration',
    label: 'Demonstration',
    icon: 'zap',
    Content: DemonstrationTab,
    needs: 'agency.demonstrate',
  },
  {
    key: 'administrators',
    label: 'Administrators',
    icon: 'shield',
    Content: AdministratorsTab,
    needs: 'administrators.manage',
  },
  { key: 'account', label: 'Your account', icon: 'user', Content: AccountTab, needs: 'own-account' },
];

/** Renders the opened admin area: its sidebar of tabs, and the tab that the address names. */
export function AdminPanel({ admin, onLock }: { admin: AdminIdentity; onLock: () => void }) {
  // The passcode belongs to no one and has no account.
  const isNamed = admin.name !== 'passcode';
  const tabs = TABS.filter(
    ({ needs }) => isPermitted(admin.role, needs) && (isNamed || needs !== 'own-account'),
  );
  const { active, select, first } = useTabInAddress(tabs);
  // The arrow keys go to the next tab before the address, and with it the tabs, has changed.
  useEffect(() => {
    const tab = document.getElementById(`admin-tab-${active}`);
    // In a narrow window the tabs scroll.
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (document.activeElement?.getAttribute('role') === 'tab') tab?.focus();
  }, [active]);
  const label = tabs.find(({ key }) => key === active)?.label;
  return (
    <Tab.Container id="admin" activeKey={active} onSelect={(key) => select(key ?? first)} transition={false}>
      <div className="admin-frame">
        <header className="admin-sidebar">
          <PageHeading title="Admin Panel" documentTitle={`${label} - Admin Panel`} />
          <div className="admin-tools">
            <ThemeToggle />
            <button type="button" className="icon-button" aria-label="Lock the admin area" onClick={onLock}>
              <Icon name="lock" size={20} />
            </button>
          </div>
          <Nav className="admin-tabs" aria-label="Admin Panel">
            {tabs.map(({ key, label, icon }) => (
              <Nav.Link key={key} as="button" type="button" eventKey={key} className="sidebar-link">
                <Icon name={icon} size={20} />
                {label}
              </Nav.Link>
            ))}
          </Nav>
          {isNamed && (
            <p className="admin-identity">
              {admin.name}, {ROLE_WORDS[admin.role].toLowerCase()}
            </p>
          )}
        </header>
        <main className="admin-main">
          <Tab.Content>
            {tabs.map(({ key, Content }) => (
              <Tab.Pane key={key} eventKey={key} mountOnEnter unmountOnExit>
                <Suspense fallback={<Spinner />}>
                  <Content />
                </Suspense>
              </Tab.Pane>
            ))}
          </Tab.Content>
        </main>
      </div>
    </Tab.Container>
  );
}

/** The tab is part of the address; each tab finds what it had there when it is shown again. */
function useTabInAddress(tabs: readonly AdminTab[]) {
  const [params, setParams] = useSearchParams();
  const left = useRef(new Map<string, URLSearchParams>());
  const named = params.get('tab');
  const first = (tabs[0] ?? FIRST).key;
  const active = tabs.find(({ key }) => key === named)?.key ?? first;
  const select = (key: string) => {
    if (key === active) return;
    left.current.set(active, params);
    setParams(left.current.get(key) ?? new URLSearchParams(key === first ? {} : { tab: key }));
  };
  return { active, select, first };
}
