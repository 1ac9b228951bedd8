import type { CookieToSet, RequestFacts } from '@casewatch/service-kit/http/route';
import { isHttps, sessionCookieName } from '@casewatch/service-kit/http/session-cookie';
import type { SignedIn } from '../domain/identity.ts';
import { DEVICE_LIFETIME_MS } from '../domain/session/device.ts';

/** The cookies of a person's browser: its session, and by what it is recognized when it signs in again. */
export interface BrowserCookies {
  /** What the browser sent, if anything. */
  read(request: RequestFacts): { oldSid: string | undefined; deviceCookie: string | undefined };
  set(signedIn: SignedIn): CookieToSet[];
  /** The browser is logged out, and stays one that the account knows. */
  clearSession(): CookieToSet[];
  clearAll(): CookieToSet[];
}

/**
 * Creates the session cookie, which lives as long as a session can; whether the session still does is the server's to say. Over HTTPS
 * both names have the prefix `__Host-` (RFC 6265bis, 4.1.3.2).
 */
export function createBrowserCookies(publicUrl: string, sessionMaximumMs: number): BrowserCookies {
  const secure = isHttps(publicUrl);
  const shape = { secure, path: '/', sameSite: 'Lax' as const };
  const session = { ...shape, name: sessionCookieName(publicUrl) };
  const device = { ...shape, name: secure ? '__Host-device' : 'device' };
  const cleared = { value: '', maxAgeSeconds: 0 };
  return {
    read: ({ cookies }) => ({ oldSid: cookies[session.name], deviceCookie: cookies[device.name] }),
    set: ({ sid, deviceCookie }) => [
      { ...session, value: sid, maxAgeSeconds: Math.floor(sessionMaximumMs / 1000) },
      { ...device, value: deviceCookie, maxAgeSeconds: Math.floor(DEVICE_LIFETIME_MS / 1000) },
    ],
    clearSession: () => [{ ...session, ...cleared }],
    clearAll: () => [
      { ...session, ...cleared },
      { ...device, ...cleared },
    ],
  };
}
