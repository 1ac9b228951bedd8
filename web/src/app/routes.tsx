import { APP_PAGES, signInPath } from '@casewatch/contracts/app-pages';
import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Suspense, useEffect, useRef } from 'react';
import { Link, matchPath, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { ApiError } from '../api/api-error.ts';
import { useMe, useSessionEnded } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { ErrorReference } from '../components/error-reference.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Spinner } from '../components/spinner.tsx';
import { RefusedEmailBanner } from '../features/auth/refused-email-banner.tsx';
import { VerifyEmailBanner } from '../features/auth/verify-email-banner.tsx';
import { BillingBanner } from '../features/billing/billing-banner.tsx';
import { PaymentReturn } from '../features/billing/payment-return.ts';
import { SignedInLayout } from '../features/layout/signed-in-layout.tsx';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { rememberLanguage, showLanguage } from '../i18n/language.ts';
import { languageShown } from '../lib/format-number.ts';
import { returnPath } from '../lib/own-path.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import {
  authPage,
  landingPage,
  OfflineParts,
  pagesForAnyone,
  Shortcuts,
  SurveyPrompt,
  sessionEnded,
  signedInPages,
  UpdateNotice,
} from './pages.ts';

/** Returns the screen of a path: some are public, every other depends on the session. */
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
  const { user, isLoading, error, retry } = useMe();
  const { pathname } = useLocation();
  const hasSignedOut = useHasSignedOut(user);
  useAccountLanguage(user);

  if (isLoading) return <Spinner fullPage />;
  if (user === undefined) return <SessionProblem error={error} onRetry={retry} />;
  if (hasSignedOut) return <Navigate to="/" replace />;
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<Spinner fullPage />}>
        {user === null ? <SignedOutRoutes /> : <SignedInRoutes key={user.id} user={user} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** The language of the account comes before that of the device, which keeps it for the next visit. */
function useAccountLanguage(user: User | null | undefined): void {
  const language = user?.language;
  useEffect(() => {
    if (!language || language === languageShown()) return;
    // Without its texts the language of the device stays until the next page.
    void showLanguage(language)
      .then(() => rememberLanguage(language))
      .catch(() => undefined);
  }, [language]);
}

/** True when the user of this tab has just signed out, here or in another tab: what was on the screen is over. */
function useHasSignedOut(user: User | null | undefined): boolean {
  const wasSignedIn = useRef(false);
  const hasSignedOut = user === null && wasSignedIn.current;
  useEffect(() => {
    wasSignedIn.current = Boolean(user);
  }, [user]);
  return hasSignedOut;
}

function SignedOutRoutes() {
  return (
    <Routes>
      <Route path="/auth" element={<authPage.Page />} />
      {Object.entries(APP_PAGES)
        .filter(([, shown]) => shown === 'sign-in')
        .map(([path]) => (
          <Route key={path} path={path} element={<AskToSignIn />} />
        ))}
      <Route path="*" element={<landingPage.Page />} />
    </Routes>
  );
}

/** A page that needs an account, and is the first screen after the sign-in. */
function AskToSignIn() {
  const { pathname } = useLocation();
  return <Navigate to={signInPath(pathname)} replace />;
}

/** Signed in, here or in another tab: the way leads to where it was meant to, '/' unless another path was. */
function LeaveSignIn() {
  const { search } = useLocation();
  return <Navigate to={returnPath(search)} replace />;
}

function SignedInRoutes({ user }: { user: User }) {
  const hasEnded = useSessionEnded();
  const { pathname } = useLocation();
  return (
    <SignedInLayout
      user={user}
      headerTools={<NotificationBell user={user} />}
      notice={
        <>
          <Suspense fallback={null}>
            <OfflineParts user={user} />
          </Suspense>
          {user.emailRefused && <RefusedEmailBanner user={user} />}
          <VerifyEmailBanner user={user} />
          <BillingBanner user={user} />
        </>
      }
    >
      <PaymentReturn />
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<Spinner />}>
          <Routes>
            {Object.entries(signedInPages).map(([path, { Page }]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path="/auth" element={<LeaveSignIn />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback={null}>
        <SurveyPrompt user={user} />
        <UpdateNotice />
        <Shortcuts />
      </Suspense>
      {hasEnded && (
        <Suspense fallback={<Spinner fullPage />}>
          <sessionEnded.Page user={user} />
        </Suspense>
      )}
    </SignedInLayout>
  );
}

function NotFoundPage() {
  return (
    <div className="message-page">
      <PageHeading title={t`404 Page Not Found`} />
      <p>
        <Trans>There is nothing at this address. It may have been typed wrong, or the page has moved.</Trans>
      </p>
      <p className="message-page-actions">
        <Link className="btn btn-primary" to="/">
          <Trans>Go to Search</Trans>
        </Link>
      </p>
    </div>
  );
}

/** Says that the session cannot be read: no answer from the server, or an invalid one. */
function SessionProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isAnswered = error instanceof ApiError;
  return (
    <main className="message-page message-page-full">
      <h1>{isAnswered ? t`Something went wrong on our side` : t`We can’t reach the server`}</h1>
      <p>
        {isAnswered
          ? t`Please try again in a moment. Nothing you saved is lost.`
          : t`Check your connection and try again. Nothing you saved is lost.`}
      </p>
      <ErrorReference error={error} />
      <p className="message-page-actions">
        <Button look="primary" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      </p>
    </main>
  );
}
