/**
 * The name of the browser's session cookie. Over HTTPS the `__Host-` prefix makes browsers refuse it without
 * Secure, with a Domain, or with another path (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(publicUrl: string): '__Host-sid' | 'sid' {
  return isHttps(publicUrl) ? '__Host-sid' : 'sid';
}

export function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
