import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { PageHeading } from '../../../components/page-heading.tsx';
import { Brand } from '../../layout/brand.tsx';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { AdminSignIn, useSignInWay } from './admin-sign-in.tsx';

/** Renders what anyone sees at /admin. */
export function AdminGate({ onOpen }: { onOpen: (opened: OpenedAdminArea) => void }) {
  const { way, canSwitch, setWay } = useSignInWay();
  const subtitle =
    way === 'passcode'
      ? 'Enter the admin passcode to view API logs'
      : 'Sign in with your administrator account';
  return (
    <div className="auth-page">
      <header className="auth-header">
        {/* A plain link: who leaves the admin area leaves its memory too. */}
        <a href="/" className="brand-link">
          <Brand />
        </a>
        <ThemeToggle />
      </header>
      <main className="auth-main">
        <PageHeading title="Admin Access" subtitle={subtitle} />
        <div className="card auth-card">
          <AdminSignIn way={way} onSwitch={canSwitch ? setWay : undefined} onOpen={onOpen} />
        </div>
      </main>
    </div>
  );
}
