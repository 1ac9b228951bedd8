import { useSyncExternalStore } from 'react';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

// The browser offers it once per page load, which may be before anything is rendered.
window.addEventListener('beforeinstallprompt', (event) => {
  // Chrome on Android would show a banner of its own.
  event.preventDefault();
  setOffer(event);
});
window.addEventListener('appinstalled', () => setOffer(undefined));

function setOffer(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns what shows the browser's own question whether to install the app; undefined where it can't be asked, and once it has been. */
export function useInstall(): (() => void) | undefined {
  const current = useSyncExternalStore(follow, () => offer);
  return (
    current &&
    (() => {
      setOffer(undefined);
      void current.prompt();
    })
  );
}

/** Returns whether this is an iPhone or iPad on which the app is not on the Home Screen: only its user can put it there, by Safari's menu. */
export function needsHomeScreen(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  const isTablet = /\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1;
  const isApple = isTablet || /\b(?:iPhone|iPad)\b/.test(userAgent);
  return isApple && !window.matchMedia('(display-mode: standalone)').matches;
}
