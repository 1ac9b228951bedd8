const SIGN_IN_PATH = '/auth';
const PARAMETER = 'next';

/** The sign-in screen, from which a sign-in or sign-up leads to `path`. */
export function signInPath(path: string): string {
  return `${SIGN_IN_PATH}?${new URLSearchParams({ [PARAMETER]: path })}`;
}

/**
 * Where a sign-in leads, from the query of the sign-in screen: a path of this app, else '/'. A link can't lead to
 * another site with it, whatever a browser makes of slashes and backslashes.
 */
export function returnPath(search: string): string {
  const wanted = new URLSearchParams(search).get(PARAMETER) ?? '/';
  if (!/^\/(?![/\\])/.test(wanted)) return '/';
  const base = 'https://app.invalid';
  if (!URL.canParse(wanted, base)) return '/';
  const { origin, pathname, search: query } = new URL(wanted, base);
  return origin === base && pathname !== SIGN_IN_PATH ? pathname + query : '/';
}
