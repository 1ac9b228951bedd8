import type { Method, RouteContract } from '@casewatch/contracts/route-contract';

export type RouteMatch =
  | { kind: 'route'; contract: RouteContract }
  /** The path exists, but not with this method; `allow` is the value of the Allow header. */
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'none' };

export type RouteTable = ReturnType<typeof createRouteTable>;

interface Node {
  readonly fixed: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<string, RouteContract>;
}

const NONE: RouteMatch = { kind: 'none' };

/** Creates a tree by path segment, so that a lookup costs the depth of the path and not the number of routes. */
export function createRouteTable(routes: readonly RouteContract[]) {
  const root = createNode();
  for (const contract of routes) if (contract.access !== 'internal') insert(root, contract);

  return {
    /**
     * Finds the route of a method and a raw path (no query). A fixed segment wins over a parameter, whatever its methods
     * (OpenAPI 3.1, Paths Object: a concrete path is matched before a templated one).
     */
    match(method: string, path: string): RouteMatch {
      const node = find(root, path.split('/'), 1);
      if (!node) return NONE;
      const contract = node.routes.get(method === 'HEAD' ? 'GET' : method);
      return contract ? { kind: 'route', contract } : { kind: 'wrong-method', allow: allowed(node) };
    },
  };
}

function createNode(): Node {
  return { fixed: new Map(), parameter: undefined, routes: new Map() };
}

function insert(root: Node, contract: RouteContract): void {
  let node = root;
  for (const segment of contract.path.split('/').slice(1)) node = child(node, segment);
  if (node.routes.has(contract.method)) throw new Error(`two routes for ${contract.method} ${contract.path}`);
  node.routes.set(contract.method, contract);
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  const known = node.fixed.get(segment) ?? createNode();
  node.fixed.set(segment, known);
  return known;
}

/** The most specific node with a route that the path leads to. */
function find(node: Node, segments: readonly string[], depth: number): Node | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, depth + 1);
  if (found || !node.parameter || !isParameter(segment)) return found;
  return find(node.parameter, segments, depth + 1);
}

/** Dot segments are never values: something behind us might resolve them to another path. */
function isParameter(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..';
}

function allowed({ routes }: Node): string {
  const methods = new Set<Method | 'HEAD'>();
  for (const { method } of routes.values()) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort().join(', ');
}
