import { PageHeading } from '../../components/page-heading.tsx';
import { Brand } from '../layout/brand.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { PasscodeForm } from './passcode-form.tsx';

/** What anyone sees at /admin. */
export function AdminGate({ onOpen }: { onOpen: (idleSeconds: number) => void }) {
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
        <PageHeading title="Admin Access" subtitle="Enter the admin passcode to view API logs" />
        <div className="card auth-card">
          <PasscodeForm onOpen={onOpen} />
        </div>
      </main>
    </div>
  );
}
