import { appPageAt, NEXT_PARAMETER, SIGN_IN_PAGE } from '@casewatch/contracts/app-pages';
import { parseUrl } from './web-address.ts';

/** Only compared with: a path that leads to another origin is resolved to that one. */
const ORIGIN = 'https://app.invalid';
/** Longer than any address of the app; browsers refuse navigations to very long ones. */
const MAX_LENGTH = 2_000;

/**
 * Returns `path` as the address of a page of this app, with query and fragment, as the browser itself reads it; undefined
 * for everything else. What comes from outside (a query, a push message, another tab) is navigated to through this alone.
 */
export function ownPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_LENGTH) return undefined;
  const url = parseUrl(path, ORIGIN);
  // The path that results is matched, and not the one that was given: `/.//host` and `/a/..//host` become `//host`.
  if (url?.origin !== ORIGIN || appPageAt(url.pathname) === undefined) return undefined;
  return url.pathname + url.search + url.hash;
}

/** Returns where a sign-in leads, from the query of the sign-in screen: a page of this app, else '/'. */
export function returnPath(search: string): string {
  const wanted = ownPath(new URLSearchParams(search).get(NEXT_PARAMETER)) ?? '/';
  return appPageAt(wanted.replace(/[?#].*$/, ''))?.page === SIGN_IN_PAGE ? '/' : wanted;
}
