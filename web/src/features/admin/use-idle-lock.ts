import { useEffect, useEffectEvent } from 'react';

const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Calls back once nobody has touched the page for so long; null switches it off. The server's own limit does not
 * do: a page that asks by itself, as the live tail does, never looks idle to it.
 */
export function useIdleLock(idleMs: number | null, onIdle: () => void): void {
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
