/**
 * Returns the name of the browser's session cookie. Over HTTPS the `__Host-` prefix makes browsers refuse it without
 * Secure, with a Domain, or with another path (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(publicUrl: string): '__Host-sid' | 'sid' {
  return isHttps(publicUrl) ? '__Host-sid' : 'sid';
}

/** What the browser sends the admin cookie to, and nothing else. */
export const ADMIN_COOKIE_PATH = '/api/admin';

/** Returns the name of the admin session's cookie; `__Secure-`, as `__Host-` would not let it have a path of its own. */
export function adminCookieName(publicUrl: string): '__Secure-admin-sid' | 'admin-sid' {
  return isHttps(publicUrl) ? '__Secure-admin-sid' : 'admin-sid';
}

export function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
