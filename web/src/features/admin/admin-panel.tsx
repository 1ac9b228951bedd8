import { type ComponentType, useEffect, useRef } from 'react';
import Nav from 'react-bootstrap/Nav';
import Tab from 'react-bootstrap/Tab';
import { useSearchParams } from 'react-router-dom';
import { Icon, type IconName } from '../../components/icon.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { AuditTab } from '../admin-audit/audit-tab.tsx';
import { LogsTab } from '../admin-logs/logs-tab.tsx';
import { SurveysTab } from '../admin-surveys/surveys-tab.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';

const TABS: readonly { key: string; label: string; icon: IconName; Content: ComponentType }[] = [
  { key: 'logs', label: 'API Logs', icon: 'layers', Content: LogsTab },
  { key: 'surveys', label: 'Surveys', icon: 'file', Content: SurveysTab },
  { key: 'audit', label: 'Audit trail', icon: 'history', Content: AuditTab },
];
const FIRST = 'logs';

/** The opened admin area: its sidebar of tabs, and the tab that the address names. */
export function AdminPanel({ onLock }: { onLock: () => void }) {
  const { active, select } = useTabInAddress();
  // The arrow keys go to the next tab before the address, and with it the tabs, has changed.
  useEffect(() => {
    if (document.activeElement?.getAttribute('role') === 'tab') {
      document.getElementById(`admin-tab-${active}`)?.focus();
    }
  }, [active]);
  const label = TABS.find(({ key }) => key === active)?.label;
  return (
    <Tab.Container id="admin" activeKey={active} onSelect={(key) => select(key ?? FIRST)} transition={false}>
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
            {TABS.map(({ key, label, icon }) => (
              <Nav.Link key={key} as="button" type="button" eventKey={key} className="sidebar-link">
                <Icon name={icon} size={20} />
                {label}
              </Nav.Link>
            ))}
          </Nav>
        </header>
        <main className="admin-main">
          <Tab.Content>
            {TABS.map(({ key, Content }) => (
              <Tab.Pane key={key} eventKey={key} mountOnEnter unmountOnExit>
                <Content />
              </Tab.Pane>
            ))}
          </Tab.Content>
        </main>
      </div>
    </Tab.Container>
  );
}

/** The tab is part of the address; each tab finds what it had there when it is shown again. */
function useTabInAddress() {
  const [params, setParams] = useSearchParams();
  const left = useRef(new Map<string, URLSearchParams>());
  const named = params.get('tab');
  const active = TABS.some(({ key }) => key === named) ? (named ?? FIRST) : FIRST;
  const select = (key: string) => {
    if (key === active) return;
    left.current.set(active, params);
    setParams(left.current.get(key) ?? new URLSearchParams(key === FIRST ? {} : { tab: key }));
  };
  return { active, select };
}
