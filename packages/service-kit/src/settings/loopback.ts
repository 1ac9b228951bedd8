const LOOPBACK_IPV4 = /^127(?:\.\d{1,3}){3}$/;

/** Returns whether a host name or address leads to the machine that uses it (RFC 1122, 4291, 6761). `[::1]` is taken with or without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || LOOPBACK_IPV4.test(name);
}

/**
 * Returns whether a process may serve people on other machines: it listens on more than loopback, people open it at another address, or a
 * reverse proxy stands before it. Unset, each is loopback.
 */
export function isOutsideLoopback({
  HOST,
  PUBLIC_URL,
  TRUST_PROXY_HOPS,
}: {
  HOST?: string | undefined;
  PUBLIC_URL?: string | undefined;
  TRUST_PROXY_HOPS?: string | undefined;
}): boolean {
  if (HOST && !isLoopback(HOST)) return true;
  if (Number(TRUST_PROXY_HOPS || 0) !== 0) return true;
  return Boolean(PUBLIC_URL) && !isLoopback(URL.parse(PUBLIC_URL ?? '')?.hostname ?? '');
}
