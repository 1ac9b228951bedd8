import type { AppPageShown } from '@casewatch/contracts/app-pages';
import { type ComponentType, lazy } from 'react';
import { matchPath } from 'react-router-dom';
import { lazyPage } from './lazy-page.ts';

type LazyPage = ReturnType<typeof lazyPage>;

/** The signed-in screens by path. The addresses of all pages are listed in `packages/contracts/src/app-pages.ts`. */
export const signedInPages = {
  '/': lazyPage(async () => (await import('../features/lookup/home-page.tsx')).HomePage),
  '/cases/:receiptNumber': lazyPage(
    async () => (await import('../features/case-page/case-page.tsx')).CasePage,
  ),
  '/notifications/:id': lazyPage(
    async () => (await import('../features/notifications/notification-page.tsx')).NotificationPage,
  ),
  '/saved-cases': lazyPage(
    async () => (await import('../features/saved-cases/saved-cases-page.tsx')).SavedCasesPage,
  ),
  '/profile': lazyPage(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
  '/profile/notifications': lazyPage(
    async () => (await import('../features/profile/notifications-page.tsx')).NotificationsPage,
  ),
  '/profile/security': lazyPage(
    async () => (await import('../features/profile/security-page.tsx')).SecurityPage,
  ),
  '/profile/data': lazyPage(async () => (await import('../features/profile/data-page.tsx')).DataPage),
  '/upgrade': lazyPage(async () => (await import('../features/upgrade/upgrade-page.tsx')).UpgradePage),
} satisfies Record<AppPageShown<'sign-in' | 'landing'>, LazyPage>;

/** The signed-out screens. */
export const authPage = lazyPage(async () => (await import('../features/auth/auth-page.tsx')).AuthPage);
export const landingPage = lazyPage(async () => (await import('./landing-screen.tsx')).LandingScreen);

/** One page at both of its paths, so that it stays open on the way from the one to the other. */
const adminPage = lazyPage(async () => (await import('../features/admin/admin-page.tsx')).AdminPage);

/** Pages that need no session, by path. */
export const pagesForAnyone = {
  '/admin': adminPage,
  '/admin/single-sign-on': adminPage,
  '/forgot-password': lazyPage(
    async () => (await import('../features/auth/forgot-password-page.tsx')).ForgotPasswordPage,
  ),
  '/reset-password': lazyPage(
    async () => (await import('../features/auth/reset-password-page.tsx')).ResetPasswordPage,
  ),
  '/confirm-email': lazyPage(
    async () => (await import('../features/auth/confirm-email-page.tsx')).ConfirmEmailPage,
  ),
  '/stop-email-change': lazyPage(
    async () => (await import('../features/auth/stop-email-change-page.tsx')).StopEmailChangePage,
  ),
  '/admin/invitation': lazyPage(
    async () => (await import('../features/admin/sign-in/invitation-page.tsx')).InvitationPage,
  ),
  '/unsubscribe': lazyPage(
    async () => (await import('../features/unsubscribe/unsubscribe-page.tsx')).UnsubscribePage,
  ),
  // Of the development server alone.
  ...(import.meta.env.DEV && {
    '/styleguide': lazyPage(
      async () => (await import('../features/styleguide/styleguide-page.tsx')).StyleguidePage,
    ),
  }),
} satisfies Record<Exclude<AppPageShown<'page'>, '/auth'>, LazyPage>;

/** Lies over everything when the session has ended. */
export const sessionEnded = lazyPage(
  async () => (await import('../features/auth/session-ended.tsx')).SessionEnded,
);

/** What lies over the signed-in screens is loaded after them. They do without it when it can't be loaded. */
export const SurveyPrompt = lazyExtra(
  async () => (await import('../features/surveys/survey-prompt.tsx')).SurveyPrompt,
);
export const UpdateNotice = lazyExtra(
  async () => (await import('../features/offline/update-notice.tsx')).UpdateNotice,
);

export const OfflineParts = lazyExtra(
  async () => (await import('../features/offline/offline-banner.tsx')).OfflineParts,
);
export const Shortcuts = lazyExtra(
  async () => (await import('../features/shortcuts/shortcuts.tsx')).Shortcuts,
);

function lazyExtra<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: () => null };
    }
  });
}

/** Returns whether a path's screen needs no session. */
export function isForAnyone(path: string): boolean {
  return Object.keys(pagesForAnyone).some((pattern) => matchPath(pattern, path) !== null);
}

/** Starts to load the screen of a path while the session is still being read. */
export function preloadPage(path: string): void {
  const pages = { ...signedInPages, '/auth': authPage };
  for (const [pattern, page] of Object.entries(pages)) {
    if (matchPath(pattern, path) !== null) page.preload();
  }
}
