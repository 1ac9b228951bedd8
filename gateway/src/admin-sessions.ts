import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import type { AdminCaller } from '@casewatch/service-kit/http/route';
import { adminRequired } from '@casewatch/service-kit/http/route';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { MAX_SID_LENGTH, resolveOrUnavailable, sessionIdOf } from './sessions.ts';

/** Asks identity which admin session a cookie opens, and so extends it; null for one that is over or never was. */
export type AdminSessionResolver = (sid: string) => Promise<ResolvedAdminSession | null>;

/**
 * Resolves the admin session on every request: use keeps it open, and its end takes effect at once.
 * @throws AppError ADMIN_REQUIRED, or UNAVAILABLE when identity can't be asked
 */
export type AdminSessions = (cookieHeader: string | undefined) => Promise<AdminCaller>;

export function createAdminSessions(options: {
  resolve: AdminSessionResolver;
  cookieName: string;
  logger: Logger;
}): AdminSessions {
  const { resolve, cookieName, logger } = options;
  return async (cookieHeader) => {
    const sid = sessionIdOf(cookieHeader, cookieName);
    if (sid === undefined || sid.length > MAX_SID_LENGTH) throw adminRequired();
    const session = await resolveOrUnavailable(resolve, sid, logger);
    if (!session) throw adminRequired();
    return session;
  };
}
