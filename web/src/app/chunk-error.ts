const MESSAGES = [
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload CSS',
];

/** True for the errors by which Chromium, Firefox, Safari and Vite say that a part of the app did not load. */
export function isChunkError(error: unknown): boolean {
  return error instanceof Error && MESSAGES.some((message) => error.message.includes(message));
}
