const COOKIE_NAME = 'sidebar_state';
const COOKIE_MAX_AGE_SECONDS = 604_800;

/** Returns whether the sidebar was left open, from a `document.cookie` text; open when nothing is remembered. */
export function readSidebarOpen(cookies: string): boolean {
  const remembered = cookies.split(';').find((pair) => pair.trim().startsWith(`${COOKIE_NAME}=`));
  return remembered?.trim() !== `${COOKIE_NAME}=false`;
}

/** Remembers the sidebar's state in a document's cookies, for 7 days and every page. */
export function rememberSidebar(page: Pick<Document, 'cookie'>, open: boolean): void {
  page.cookie = `${COOKIE_NAME}=${open}; path=/; max-age=${COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
}
