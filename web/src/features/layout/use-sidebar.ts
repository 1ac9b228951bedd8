import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { MOBILE_BREAKPOINT_PX } from '../../config/product.ts';

const COOKIE_NAME = 'sidebar_state';
const COOKIE_MAX_AGE_SECONDS = 604_800;
const NARROW_WINDOW = `(max-width: ${MOBILE_BREAKPOINT_PX - 0.02}px)`;

export interface SidebarState {
  isMobile: boolean;
  /** Expanded rather than collapsed to icons; remembered in a cookie. */
  expanded: boolean;
  /** The side sheet of a narrow window; never remembered. */
  sheetOpen: boolean;
  toggle: () => void;
  closeSheet: () => void;
}

/** Returns the sidebar's state. Ctrl+B or Cmd+B toggles whichever form of it the window shows. */
export function useSidebar(): SidebarState {
  const isMobile = useIsMobile();
  const [expanded, setExpanded] = useState(() => readSidebarOpen(document.cookie));
  const [sheetOpen, setSheetOpen] = useState(false);

  const toggle = useCallback(() => {
    if (isMobile) return setSheetOpen(!sheetOpen);
    rememberSidebar(document, !expanded);
    setExpanded(!expanded);
  }, [isMobile, sheetOpen, expanded]);
  const closeSheet = useCallback(() => setSheetOpen(false), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSidebarShortcut(event)) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggle]);

  return { isMobile, expanded, sheetOpen: isMobile && sheetOpen, toggle, closeSheet };
}

function isSidebarShortcut(event: KeyboardEvent): boolean {
  return (
    event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  );
}

/** Returns whether the sidebar was left open, from a `document.cookie` text; open when nothing is remembered. */
export function readSidebarOpen(cookies: string): boolean {
  const remembered = cookies.split(';').find((pair) => pair.trim().startsWith(`${COOKIE_NAME}=`));
  return remembered?.trim() !== `${COOKIE_NAME}=false`;
}

/** Remembers the sidebar's state in a document's cookies, for 7 days and every page. */
export function rememberSidebar(page: Pick<Document, 'cookie'>, open: boolean): void {
  page.cookie = `${COOKIE_NAME}=${open}; path=/; max-age=${COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
}

/** Returns true while the window is narrower than 768 px. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW_WINDOW).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(NARROW_WINDOW);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
