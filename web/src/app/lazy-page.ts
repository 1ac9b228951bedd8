import { type ComponentType, lazy } from 'react';

/** Returns a screen that is loaded when first shown, or before: `preload` starts the download and may be called often. */
export function lazyPage<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  const Page = lazy(async () => ({ default: await load() }));
  // A download that fails here fails again, and is reported, when the screen is shown.
  const preload = () => void load().catch(() => undefined);
  return { Page, preload };
}

const MESSAGES = [
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload CSS',
];

/** Returns true for the errors by which Chromium, Firefox, Safari and Vite say that a part of the app did not load. */
export function isChunkError(error: unknown): boolean {
  return error instanceof Error && MESSAGES.some((message) => error.message.includes(message));
}
