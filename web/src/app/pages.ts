import { lazyPage } from './lazy-page.ts';

/** The signed-in screens by path. */
export const signedInPages = {
  '/': lazyPage(async () => (await import('../features/lookup/home-page.tsx')).HomePage),
  '/saved-cases': lazyPage(
    async () => (await import('../features/saved-cases/saved-cases-page.tsx')).SavedCasesPage,
  ),
  '/profile': lazyPage(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
};

/** The signed-out screens. */
export const authPage = lazyPage(async () => (await import('../features/auth/auth-page.tsx')).AuthPage);
export const landingPage = lazyPage(async () => (await import('./landing-screen.tsx')).LandingScreen);

/** Starts to load the screen of a path while it is still being found out who is signed in. */
export function preloadPage(path: string): void {
  const pages: Record<string, { preload: () => void }> = { ...signedInPages, '/auth': authPage };
  pages[path]?.preload();
}
