import type { Method, RouteContract } from '@casewatch/contracts/route-contract';

export type RouteMatch =
  | { kind: 'route'; contract: RouteContract }
  /** The path exists, but not with this method; `allow` is the value of the Allow header. */
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'none' };

export interface RouteTable {
  /** Finds the route of a method and a raw path (no query). A fixed segment wins over a parameter. */
  match(method: string, path: string): RouteMatch;
}

interface Node {
  readonly fixed: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<string, RouteContract>;
}

const NONE: RouteMatch = { kind: 'none' };

/** A tree by path segment, so that a look-up costs the depth of the path and not the number of routes. */
export function createRouteTable(routes: readonly RouteContract[]): RouteTable {
  const root = createNode();
  for (const contract of routes) if (contract.access !== 'internal') insert(root, contract);

  return {
    match(method, path) {
      const nodes: Node[] = [];
      collect(root, path.split('/'), 1, nodes);
      if (nodes.length === 0) return NONE;
      const verb = method === 'HEAD' ? 'GET' : method;
      for (const node of nodes) {
        const contract = node.routes.get(verb);
        if (contract) return { kind: 'route', contract };
      }
      return { kind: 'wrong-method', allow: allowed(nodes) };
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

/** Every node that the path leads to, the most specific first. */
function collect(node: Node, segments: readonly string[], depth: number, found: Node[]): void {
  const segment = segments[depth];
  if (segment === undefined) {
    if (node.routes.size > 0) found.push(node);
    return;
  }
  const fixed = node.fixed.get(segment);
  if (fixed) collect(fixed, segments, depth + 1, found);
  if (node.parameter && isParameter(segment)) collect(node.parameter, segments, depth + 1, found);
}

/** Dot segments are never values: something behind us might resolve them to another path. */
function isParameter(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..';
}

function allowed(nodes: readonly Node[]): string {
  const methods = new Set<Method | 'HEAD'>();
  for (const node of nodes) {
    for (const { method } of node.routes.values()) {
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
  }
  return [...methods].sort().join(', ');
}
