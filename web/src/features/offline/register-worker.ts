import { Workbox } from 'workbox-window';
import { WORKER_FILE } from '../../config/product.ts';

const CHECK_EVERY_MS = 60 * 60_000;

/**
 * Registers the service worker. `onNewVersion` is called when a newer version of the app is ready, with the function that
 * reloads this tab to use it; nothing reloads before. Returns a function that ends the checks for newer versions. Without a worker (the development server, a browser that forbids it)
 * the app works as it does online.
 */
export function registerWorker(onNewVersion: (use: () => void) => void): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {};
  const worker = new Workbox(WORKER_FILE);
  const reload = () => window.location.reload();
  let isWanted = false;
  const offer = () =>
    onNewVersion(() => {
      isWanted = true;
      worker.messageSkipWaiting();
    });
  worker.addEventListener('waiting', async ({ sw }) => {
    // The first worker waits too, for as long as a slow device takes to activate it.
    const active = (await registered)?.active;
    if (active && active !== sw) offer();
  });
  // Every tab gets the new worker at once, but only the one that asked for it reloads by itself.
  worker.addEventListener('controlling', () => (isWanted ? reload() : onNewVersion(reload)));
  const registered = worker.register().catch(() => undefined);
  const check = async () => {
    if (document.visibilityState === 'visible' && (await registered)) await worker.update();
  };
  // An update that can't be looked for now is looked for the next time.
  const checkQuietly = () => void check().catch(() => undefined);
  const timer = setInterval(checkQuietly, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', checkQuietly);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', checkQuietly);
  };
}
