import type { Method, RouteContract } from '@casewatch/contracts/route-contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRouteTable } from './route-table.ts';

const row = (method: Method, path: string, access: RouteContract['access'] = 'public'): RouteContract => ({
  id: `${method} ${path}`,
  service: 'cases',
  method,
  path,
  access,
  summary: '',
  status: 200,
  answer: z.unknown(),
});

const table = createRouteTable([
  row('GET', '/api/things/:id'),
  row('POST', '/api/things/bulk'),
  row('GET', '/api/things/:id/parts/:part'),
  row('GET', '/internal/things', 'internal'),
]);
const found = (method: string, path: string) => {
  const match = table.match(method, path);
  return match.kind === 'route' ? match.contract.id : match;
};

test('a fixed segment wins over a parameter, also for methods that it does not take', () => {
  expect(found('POST', '/api/things/bulk')).toBe('POST /api/things/bulk');
  expect(found('GET', '/api/things/bulk')).toEqual({ kind: 'wrong-method', allow: 'POST' });
});

test('a parameter serves what a fixed segment leads nowhere with', () => {
  expect(found('GET', '/api/things/bulk/parts/8')).toBe('GET /api/things/:id/parts/:part');
});

test('parameters take one segment each', () => {
  expect(found('GET', '/api/things/7/parts/8')).toBe('GET /api/things/:id/parts/:part');
  expect(found('GET', '/api/things/7/8')).toEqual({ kind: 'none' });
  expect(found('GET', '/api/things/')).toEqual({ kind: 'none' });
});

test('a wrong method gets the methods that the path allows', () => {
  expect(found('PUT', '/api/things/7')).toEqual({ kind: 'wrong-method', allow: 'GET, HEAD' });
});

test('internal routes do not exist', () => {
  expect(found('GET', '/internal/things')).toEqual({ kind: 'none' });
});

test('two routes for one method and path are a mistake that shows at the start', () => {
  expect(() => createRouteTable([row('GET', '/api/a/:x'), row('GET', '/api/a/:y')])).toThrow('two routes');
});
