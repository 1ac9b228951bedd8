import { expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { ERROR_STATUS } from './route-contract.ts';
import { routes } from './routes.ts';

const document = createOpenApiDocument(routes, {
  version: '1',
  cookieName: 'sid',
  adminCookieName: 'admin-sid',
});
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('every route that outsiders may call is described once, and no internal one', () => {
  const expected = routes.filter(({ access }) => access !== 'internal').map(({ id }) => id);
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(expected.sort());
  expect(JSON.stringify(document)).not.toContain('/internal/');
});

test('every path parameter of a path is declared', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((p) => p.in === 'path').map(({ name }) => name);
    expect(declared).toEqual(inPath);
    expect(path).not.toContain(':');
  }
});

test('every error code of a route stands under its HTTP status', () => {
  for (const route of routes.filter(({ access }) => access !== 'internal')) {
    const described = operations.find(({ operation }) => operation.operationId === route.id)?.operation
      .responses;
    for (const code of route.errors ?? []) {
      expect(described?.[ERROR_STATUS[code]]?.description.split(', '), `${route.id} ${code}`).toContain(code);
    }
  }
});

test('answers that ask for patience declare Retry-After', () => {
  for (const { operation } of operations) {
    expect(operation.responses['429']?.headers).toHaveProperty('Retry-After');
    expect(operation.responses['503']?.headers).toHaveProperty('Retry-After');
  }
});

test('routes for users ask for the session cookie, public ones for nothing', () => {
  const security = (id: string) => operations.find((o) => o.operation.operationId === id)?.operation.security;
  expect(security('listSavedCases')).toEqual([{ session: [] }]);
  expect(security('logIn')).toEqual([]);
  expect(document.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: 'sid' });
});

test('every reference leads to a schema of the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(references.length).toBeGreaterThan(0);
  for (const target of references) {
    expect(document.components.schemas).toHaveProperty(String(target).replace('#/components/schemas/', ''));
  }
});
