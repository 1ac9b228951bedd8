import { expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { ERROR_STATUS, type ErrorCode } from './route-contract.ts';
import { routes } from './routes.ts';

const document = createOpenApiDocument(routes, {
  version: '1',
  cookieName: 'sid',
  adminCookieName: 'admin-sid',
});
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Those that any route may answer. */
const GENERAL: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'BODY_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
];

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

test('routes for users and for administrators say what they answer without a session, and no others do', () => {
  const idsOf = (access: string) =>
    routes
      .filter((route) => route.access === access)
      .map(({ id }) => id)
      .sort();
  const answering = (code: ErrorCode) =>
    operations
      .filter(({ operation }) => operation.responses[401]?.description.split(', ').includes(code))
      .map(({ operation }) => operation.operationId)
      .sort();
  expect(answering('SIGNED_OUT')).toEqual(idsOf('user'));
  expect(answering('ADMIN_REQUIRED')).toEqual(idsOf('admin'));
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

test('besides its own errors a route has those of its method, its input and its access', () => {
  for (const route of routes.filter(({ access }) => access !== 'internal')) {
    const responses = operations.find(({ operation }) => operation.operationId === route.id)?.operation
      .responses;
    const listedCodes = Object.values(responses ?? {}).flatMap(({ description }) => description.split(', '));
    const { id, method, access, params, query, body, signedBody, provesItself, errors = [] } = route;
    const has = (code: ErrorCode) => listedCodes.includes(code);
    expect([id, has('VALIDATION')]).toEqual([id, Boolean(params ?? query ?? body)]);
    expect([id, has('UNSUPPORTED_MEDIA_TYPE')]).toEqual([id, body !== undefined]);
    expect([id, has('CSRF')]).toEqual([id, method !== 'GET' && !signedBody && !provesItself]);
    expect([id, has('PERMISSION_DENIED')]).toEqual([
      id,
      access === 'admin' || errors.includes('PERMISSION_DENIED'),
    ]);
    for (const code of GENERAL) expect([id, code, has(code)]).toEqual([id, code, true]);
  }
});

test('an answer without a body declares none, and a redirect says where', () => {
  const success = (id: string) => {
    const { status } = routes.find((route) => route.id === id) ?? { status: 0 };
    return operations.find((o) => o.operation.operationId === id)?.operation.responses[status];
  };
  expect(success('removeSavedCase')).toMatchObject({ description: 'Done' });
  expect(success('removeSavedCase')).not.toHaveProperty('content');
  expect(success('openUnsubscribePage')).toMatchObject({
    description: 'See there',
    headers: { Location: { schema: { type: 'string' } } },
  });
  expect(success('openUnsubscribePage')).not.toHaveProperty('content');
  expect(Object.keys(success('exportSavedCases')?.content ?? {})).toEqual(['text/csv']);
  expect(success('exportSavedCases')?.headers).toHaveProperty('Content-Disposition');
  expect(success('listPushDevices')?.links).toEqual({
    testPushDevice: { operationId: 'testPushDevice', parameters: { id: '$response.body#/devices/0/id' } },
  });
});

test('answers that ask for patience declare Retry-After', () => {
  for (const { operation } of operations) {
    expect(operation.responses['429']?.headers).toHaveProperty('Retry-After');
    expect(operation.responses['503']?.headers).toHaveProperty('Retry-After');
    expect(operation.responses['500']?.headers).not.toHaveProperty('Retry-After');
  }
});

test('routes for users ask for the session cookie, public ones for nothing', () => {
  const security = (id: string) => operations.find((o) => o.operation.operationId === id)?.operation.security;
  expect(security('listSavedCases')).toEqual([{ session: [] }]);
  expect(security('logIn')).toEqual([]);
  expect(security('listLogs')).toEqual([{ admin: [] }]);
  expect(document.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: 'sid' });
  expect(document.components.securitySchemes.admin).toMatchObject({ in: 'cookie', name: 'admin-sid' });
  expect(document.servers).toEqual([{ url: '/' }]);
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
