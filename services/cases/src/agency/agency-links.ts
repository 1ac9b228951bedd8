/**
 * Returns the normalized address when a link may be shown: absolute, https, no user name, no port, and a host that is
 * one of `hosts` or a subdomain of one. Look-alike names in other scripts become `xn--…` in `URL` and match none.
 */
export function allowedLink(href: string, hosts: readonly string[]): string | undefined {
  const url = URL.parse(href.trim());
  if (url?.protocol !== 'https:' || url.username || url.password || url.port) return undefined;
  return hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
    ? url.href
    : undefined;
}
