import { useCallback, useEffect, useState } from 'react';
import { readSidebarOpen, rememberSidebar } from './sidebar-cookie.ts';
import { useIsMobile } from './use-is-mobile.ts';

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
