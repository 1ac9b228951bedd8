/** What no log line may hold, with an expression that finds it. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'e-mail address': /[\w.+-]+@[\w-]+\.[a-z][\w.-]*/gi,
  'receipt number': /\b[A-Z]{3}-?\d{10}\b/gi,
  // Loopback is where the parts of a test find each other.
  'IP address': /(?<![\w.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g,
  'address of a client':
    /"(?:ip|remoteAddress|remote_address|clientAddress|clientIp|x-forwarded-for)":"[^"]+"/gi,
  token: /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+|\bBearer [\w.~+/-]{8,}|\b(?:sk|rk|whsec)_\w{8,}|-----BEGIN/g,
  cookie: /"(?:set-)?cookie":"(?!\[redacted\])[^"]+"/gi,
};

export interface PersonalData {
  kind: string;
  /** Distinct lines that hold it, the first three. */
  lines: readonly string[];
}

/** Finds personal data and secrets in the lines of a log. */
export function findPersonalData(log: string): PersonalData[] {
  const lines = log.split('\n');
  return Object.entries(FORBIDDEN).flatMap(([kind, pattern]) => {
    const found = [...new Set(lines.filter((line) => line.search(pattern) >= 0))];
    return found.length > 0 ? [{ kind, lines: found.slice(0, 3) }] : [];
  });
}
