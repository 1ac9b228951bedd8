import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * Shows a page that a link leads to from its top, and one that is gone back to where it was left, as soon as it is long enough; a change of the
 * query alone moves nothing. The browser itself would keep the place of the page before, and restore one before the page is there.
 */
export function useScrollPosition(): void {
  const { key, pathname, hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const left = useRef(new Map<string, number>());
  const shown = useRef<string>(undefined);

  useLayoutEffect(() => {
    const isOther = shown.current !== undefined && shown.current !== pathname;
    shown.current = pathname;
    // A page that is loaded again is the browser's.
    window.history.scrollRestoration = 'manual';
    const leaveToBrowser = () => {
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', leaveToBrowser);
    const place = isBack ? (left.current.get(key) ?? 0) : 0;
    const stop = isOther && hash === '' ? scrollTo(place) : () => undefined;
    const remember = () => left.current.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      stop();
      window.removeEventListener('scroll', remember);
      window.removeEventListener('pagehide', leaveToBrowser);
    };
  }, [key, pathname, hash, isBack]);
}

/** Scrolls again while the page grows, until the place is reached or the reader moves; returns what ends it. */
function scrollTo(top: number): () => void {
  const go = () => {
    window.scrollTo({ top, behavior: 'instant' });
    if (Math.abs(window.scrollY - top) < 1) stop();
  };
  const growing = new ResizeObserver(go);
  const moves = new AbortController();
  const stop = () => {
    growing.disconnect();
    moves.abort();
  };
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    window.addEventListener(type, stop, { passive: true, signal: moves.signal });
  growing.observe(document.body);
  go();
  return stop;
}
