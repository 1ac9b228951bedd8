import type { CookieToSet, RequestFacts } from '@casewatch/platform/http/route';
import { isHttps, sessionCookieName } from '@casewatch/platform/http/session-cookie';

export interface SessionCookie {
  /** The value the browser sent, if any. */
  read(request: RequestFacts): string | undefined;
  set(sid: string): CookieToSet;
  clear(): CookieToSet;
}

/** The cookie lives as long as a session can; whether the session still does is the server's to say. */
export function createSessionCookie(publicUrl: string, maximumMs: number): SessionCookie {
  const shape = {
    name: sessionCookieName(publicUrl),
    secure: isHttps(publicUrl),
    path: '/',
    sameSite: 'Lax' as const,
  };
  return {
    read: ({ cookies }) => cookies[shape.name],
    set: (sid) => ({ ...shape, value: sid, maxAgeSeconds: Math.floor(maximumMs / 1000) }),
    clear: () => ({ ...shape, value: '', maxAgeSeconds: 0 }),
  };
}
