export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface Access {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Where Redis is, by what a URL says. */
export type RedisPlace =
  | { readonly kind: 'server'; readonly url: string }
  | (Access & {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisNode[];
      /** What the sentinels call the server that they watch. */
      readonly master: string;
      readonly database: number;
      /** Of the sentinels themselves, where they ask for it. */
      readonly sentinelUsername: string | undefined;
      readonly sentinelPassword: string | undefined;
    })
  | (Access & { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] });

export const REDIS_SCHEMES = ['redis', 'redis+sentinel', 'redis+cluster'].flatMap((scheme) => [
  `${scheme}://`,
  `${scheme.replace('redis', 'rediss')}://`,
]);

const SENTINEL_PORT = 26_379;
const SERVER_PORT = 6_379;
const SEVERAL =
  /^redis(?<tls>s)?\+(?<kind>sentinel|cluster):\/\/(?:(?<account>[^@/?]*)@)?(?<nodes>[^@/?]+)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/;
const NODE = /^(?<host>\[[\da-fA-F:.]+\]|[^\s:[\]]+)(?::(?<port>\d{1,5}))?$/;
const SENTINEL_PATH = /^\/(?<master>[^/]+)(?:\/(?<database>\d{1,3}))?$/;
const SENTINEL_QUERY: ReadonlySet<string> = new Set(['sentinelUsername', 'sentinelPassword']);

/**
 * - `redis://user:password@host:6379/0`: one server.
 * - `redis+sentinel://user:password@host1:26379,host2/mymaster/0?sentinelUsername=…&sentinelPassword=…`: the server that
 *   these sentinels name.
 * - `redis+cluster://user:password@host1:6379,host2`: some nodes of a cluster; they name the others.
 *
 * `rediss` in place of `redis` speaks TLS with all of them. User, password and names are percent-encoded.
 * @throws an error that says what is wrong and never repeats the URL, which holds a password.
 */
export function parseRedisUrl(url: string): RedisPlace {
  if (/^rediss?:\/\//.test(url)) {
    if (!URL.canParse(url) || new URL(url).hostname === '')
      throw new Error('must be a URL: redis://user:password@host:6379');
    return { kind: 'server', url };
  }
  const found = SEVERAL.exec(url)?.groups;
  if (!found) throw new Error(`must begin with ${REDIS_SCHEMES.join(' or ')} and name a host`);
  const [username, password] = (found.account ?? '').split(/:(.*)/s).map(textOf);
  const access = { tls: found.tls !== undefined, username, password };
  const query = new URLSearchParams(found.query ?? '');
  if (found.kind === 'cluster') {
    if (found.path && found.path !== '/')
      throw new Error('a cluster has no database to choose: leave out the path');
    if (query.size > 0) throw new Error('a cluster takes no parameters');
    return { kind: 'cluster', nodes: nodesOf(found.nodes, SERVER_PORT), ...access };
  }
  const path = SENTINEL_PATH.exec(found.path ?? '')?.groups;
  if (!path?.master)
    throw new Error('must name the master after the sentinels: redis+sentinel://host:26379/mymaster');
  const unknown = [...query.keys()].find((name) => !SENTINEL_QUERY.has(name));
  if (unknown !== undefined) throw new Error(`takes no parameter ${unknown}`);
  return {
    kind: 'sentinel',
    sentinels: nodesOf(found.nodes, SENTINEL_PORT),
    master: decoded(path.master),
    database: Number(path.database ?? 0),
    sentinelUsername: query.get('sentinelUsername') ?? undefined,
    sentinelPassword: query.get('sentinelPassword') ?? undefined,
    ...access,
  };
}

function nodesOf(list: string | undefined, defaultPort: number): RedisNode[] {
  return (list ?? '').split(',').map((each) => {
    const { host, port } = NODE.exec(each)?.groups ?? {};
    const number = port === undefined ? defaultPort : Number(port);
    if (!host || number < 1 || number > 65_535)
      throw new Error('must name hosts as host:port, with commas between');
    return { host: host.replace(/^\[|\]$/g, ''), port: number };
  });
}

const textOf = (part: string): string | undefined => (part === '' ? undefined : decoded(part));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have its user, password and names percent-encoded');
  }
}
