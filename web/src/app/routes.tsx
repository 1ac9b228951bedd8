import type { User } from '@casewatch/contracts/identity';
import { Suspense, useEffect, useRef } from 'react';
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { useMe } from '../api/session.ts';
import { Spinner } from '../components/spinner.tsx';
import { BillingBanner } from '../features/billing/billing-banner.tsx';
import { PaymentReturn } from '../features/billing/payment-return.ts';
import { SignedInLayout } from '../features/layout/signed-in-layout.tsx';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { authPage, landingPage, pagesForAnyone, preloadPage, SurveyPrompt, signedInPages } from './pages.ts';
import { SessionProblem } from './session-problem.tsx';

/** Which screen a path means: some are for anyone, every other by who is signed in. */
export function AppRoutes() {
  const { pathname } = useLocation();
  const forAnyone = Object.entries(pagesForAnyone).find(([path]) => matchPath(path, pathname) !== null)?.[1];
  if (!forAnyone) return <SessionRoutes />;
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<Spinner fullPage />}>
        <forAnyone.Page />
      </Suspense>
    </ErrorBoundary>
  );
}

function SessionRoutes() {
  const { user, isLoading, retry } = useMe();
  const { pathname } = useLocation();
  const hasJustSignedIn = useSignInHere(user);
  const firstPath = useRef(pathname);
  useEffect(() => preloadPage(firstPath.current), []);

  if (isLoading) return <Spinner fullPage />;
  if (user === undefined) return <SessionProblem onRetry={retry} />;
  if (hasJustSignedIn) return <Navigate to="/" replace />;
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<Spinner fullPage />}>
        {user === null ? <SignedOutRoutes /> : <SignedInRoutes user={user} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * True when somebody has become signed in while this tab showed /auth, here or in another tab: then the way
 * leads to '/'. Someone signed in who opens /auth afresh finds nothing there, as at any unknown path.
 */
function useSignInHere(user: User | null | undefined): boolean {
  const { pathname } = useLocation();
  const wasAskedToSignIn = useRef(false);
  const isSignInHere = Boolean(user) && pathname === '/auth' && wasAskedToSignIn.current;
  useEffect(() => {
    wasAskedToSignIn.current = user === null && pathname === '/auth';
  }, [user, pathname]);
  return isSignInHere;
}

function SignedOutRoutes() {
  return (
    <Routes>
      <Route path="/auth" element={<authPage.Page />} />
      <Route path="*" element={<landingPage.Page />} />
    </Routes>
  );
}

function SignedInRoutes({ user }: { user: User }) {
  const { pathname } = useLocation();
  return (
    <SignedInLayout
      user={user}
      headerTools={<NotificationBell user={user} />}
      notice={<BillingBanner user={user} />}
    >
      <PaymentReturn />
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<Spinner />}>
          <Routes>
            {Object.entries(signedInPages).map(([path, { Page }]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback={null}>
        <SurveyPrompt user={user} />
      </Suspense>
    </SignedInLayout>
  );
}
