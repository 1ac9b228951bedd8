import './admin.scss';
import './admin-table.scss';
import type { AdminIdentity, OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { createAdminClient, useAdminLogOut } from '../../api/admin-session.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { useErrorToast } from '../../components/toast/toast-provider.tsx';
import { Brand } from '../layout/brand.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { AdminPanel } from './admin-panel.tsx';
import { AdminContext } from './shared/admin-context.ts';
import { AdminSignIn, useSignInWay } from './sign-in/admin-sign-in.tsx';
import { EndedGate } from './sign-in/ended-gate.tsx';
import { SINGLE_SIGN_ON_PATH } from './sign-in/single-sign-on.tsx';
import { SingleSignOnReturn } from './sign-in/single-sign-on-return.tsx';

interface Opening {
  client: QueryClient;
  idleSeconds: number;
  admin: AdminIdentity;
  /** The session is over: the person is asked to sign in again, over what was being done. */
  hasEnded: boolean;
}

/** Renders the admin area behind its gate. A reload locks it; an ended session keeps what was being typed. */
export function AdminPage() {
  const [opening, setOpening] = useState<Opening | null>(null);
  const end = useCallback(
    () => setOpening((now) => (now === null || now.hasEnded ? now : { ...now, hasEnded: true })),
    [],
  );
  const { pathname } = useLocation();
  const { mutateAsync: logOut } = useAdminLogOut();
  const report = useErrorToast();

  const open = ({ idleSeconds, admin }: OpenedAdminArea) =>
    setOpening({ client: createAdminClient(end), idleSeconds, admin, hasEnded: false });
  if (pathname === SINGLE_SIGN_ON_PATH) return <SingleSignOnReturn onOpen={open} />;
  if (opening === null) return <AdminGate onOpen={open} />;

  const { client, idleSeconds, admin, hasEnded } = opening;
  const reopen = (opened: OpenedAdminArea) => {
    // What another administrator had on the screen is not for this one.
    if (!isSame(opened.admin, admin)) {
      client.clear();
      return open(opened);
    }
    setOpening({ client, idleSeconds: opened.idleSeconds, admin, hasEnded: false });
    void client.invalidateQueries();
  };
  const lock = async () => {
    setOpening(null);
    client.clear();
    try {
      await logOut();
    } catch (error) {
      report(error, 'The server could not be reached. The admin session expires automatically.', 'Error');
    }
  };

  return (
    <QueryClientProvider client={client} key={`${admin.role} ${admin.name}`}>
      <AdminContext value={admin}>
        <IdleLock seconds={idleSeconds} isOn={!hasEnded} onIdle={end} />
        <AdminPanel admin={admin} onLock={() => void lock()} />
        {hasEnded && (
          <EndedGate
            firstWay={admin.name === 'passcode' ? 'passcode' : 'account'}
            onOpen={reopen}
            onLeave={() => void lock()}
          />
        )}
      </AdminContext>
    </QueryClientProvider>
  );
}

const isSame = (a: AdminIdentity, b: AdminIdentity) => a.name === b.name && a.role === b.role;

interface IdleLockProps {
  seconds: number;
  isOn: boolean;
  onIdle: () => void;
}

function IdleLock({ seconds, isOn, onIdle }: IdleLockProps) {
  const { mutate: logOut } = useAdminLogOut();
  useIdleLock(isOn ? seconds * 1000 : null, () => {
    onIdle();
    logOut();
  });
  return null;
}

const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Calls back once the page has not been used for that time; null switches it off. The server's own limit does not
 * do: a page that asks by itself, as the live tail does, never looks idle to it.
 */
function useIdleLock(idleMs: number | null, onIdle: () => void): void {
  const fire = useEffectEvent(onIdle);
  useEffect(() => {
    if (idleMs === null) return;
    let timer = window.setTimeout(() => fire(), idleMs);
    const restart = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => fire(), idleMs);
    };
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, restart, { passive: true });
    return () => {
      window.clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, restart);
    };
  }, [idleMs]);
}

/** Renders what anyone sees at /admin. */
function AdminGate({ onOpen }: { onOpen: (opened: OpenedAdminArea) => void }) {
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
