import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The push services of Chrome, Firefox, Safari and Edge. */
export const KNOWN_PUSH_HOSTS =
  'fcm.googleapis.com,updates.push.services.mozilla.com,web.push.apple.com,*.notify.windows.com';

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Returns whether an entry of PUSH_HOSTS is a host, `*.` and a domain, or an IPv4 address, with or without a port. */
export const isPushHost = (entry: string): boolean => HOST.test(entry);

/**
 * Creates the check whether messages may be sent to an endpoint: https, no credentials, and a host and port of the list. An entry
 * without a port means 443. `*.example.com` means every name below it, not the name itself.
 */
export function createHostCheck(entries: readonly string[]): (endpoint: string) => boolean {
  const allowed = entries.map((entry) => (/:\d+$/.test(entry) ? entry : `${entry}:443`));
  return (endpoint) => {
    const url = URL.parse(endpoint);
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
    const place = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
    return allowed.some((entry) =>
      entry.startsWith('*.') ? isIP(url.hostname) === 0 && place.endsWith(entry.slice(1)) : place === entry,
    );
  };
}

/** Not on the internet: this host, private and local networks, and what is reserved (RFC 6890). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** Returns whether the address is on the internet. An IPv4 address within an IPv6 one counts as the former. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Looks a name up, and fails with EPRIVATE when one of its addresses is not on the internet: the list may name it, DNS may lie. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? failure('ENOTFOUND', hostname), '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(failure('EPRIVATE', hostname), '', 0);
    }
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

function failure(code: string, hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code} ${hostname}`), { code });
}
