const MASK = '[masked]';

/** Ways in which a page of something on the way may repeat what it was sent; the first group stays. */
const CREDENTIALS = [
  /\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /("(?:access_token|refresh_token|client_secret|authorization)"\s*:\s*")[^"]+/gi,
  /\b((?:access_token|refresh_token|client_secret)=)[^&\s"'<>]+/gi,
];

/** A text without our credentials: these very ones wherever they stand, and whatever looks like some. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '');
  const withoutOurs = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, `$1${MASK}`), withoutOurs);
}
