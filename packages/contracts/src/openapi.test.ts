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

test('a body is required unless the route takes none', () => {
  const required = (id: string) =>
    operations.find((o) => o.operation.operationId === id)?.operation.requestBody?.required;
  expect(required('confirmPayment')).toBe(true);
  expect(required('createSubscription')).toBe(false);
  expect(required('receiveStripeEvent')).toBe(true);
});

test('every reference leads to something in the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(references.length).toBeGreaterThan(0);
  const { components } = document;
  for (const target of references) {
    const [, kind = '', name = ''] = /^#\/components\/(schemas|headers)\/(.+)$/.exec(String(target)) ?? [];
    expect(Object.keys(kind === 'headers' ? components.headers : components.schemas)).toContain(name);
  }
});

test('what can be asked next is an operation of the document, given every parameter that its path has', () => {
  const links = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) => Object.values(response.links ?? {})),
  );
  expect(links.length).toBeGreaterThan(0);
  for (const { operationId, parameters } of links) {
    const target = operations.find(({ operation }) => operation.operationId === operationId);
    const needed = (target?.operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(Object.keys(parameters), operationId).toEqual(needed.map(({ name }) => name));
  }
});

test('every answer names the request; a signature and the last event are required headers', () => {
  for (const { operation } of operations) {
    for (const response of Object.values(operation.responses)) {
      expect(response.headers).toHaveProperty('X-Request-Id');
    }
  }
  const header = (id: string) =>
    operations
      .find((o) => o.operation.operationId === id)
      ?.operation.parameters?.find((parameter) => parameter.in === 'header');
  expect(header('receiveStripeEvent')).toMatchObject({ name: 'Stripe-Signature', required: true });
  expect(header('streamNotifications')).toMatchObject({ name: 'Last-Event-ID', required: false });
});
