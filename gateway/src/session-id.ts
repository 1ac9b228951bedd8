import { parseCookie } from 'cookie';

/** The session id that the request carries. */
export function sessionIdOf(cookieHeader: string | undefined, cookieName: string): string | undefined {
  if (!cookieHeader?.includes(cookieName)) return undefined;
  return parseCookie(cookieHeader)[cookieName] || undefined;
}
