import type { IncomingMessage } from 'node:http';
import type { Area } from './refusal-log.ts';

/** Returns the raw path of a request, without the query and without decoding. */
export function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** Returns true for `/api` and everything under it. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}

export function areaOf(path: string): Area {
  return isApiPath(path) ? 'api' : 'web';
}
