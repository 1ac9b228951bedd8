import { expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { shareRepeated } from './openapi-shared.ts';
import { routes } from './routes.ts';

const whole = createOpenApiDocument(routes, {
  version: '1',
  cookieName: 'sid',
  adminCookieName: 'admin-sid',
  serverUrl: 'https://casewatch.example',
});
const document = shareRepeated(whole);

/** A copy in which references to shared parameters and errors are what they lead to. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [, kind, name] =
    /^#\/components\/(parameters|responses)\/(.+)$/.exec(String(Reflect.get(value, '$ref'))) ?? [];
  if (name !== undefined)
    return resolved(document.components[kind === 'parameters' ? 'parameters' : 'responses'][name]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]));
}

test('with its references followed it says the same, and each operation is described', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const same = whole.paths[path]?.[method];
      expect(resolved(operation)).toEqual({ ...same, description: same?.description ?? `${same?.summary}.` });
    }
  }
});

test('no parameter and no error is stated twice', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const stated = operations.flatMap(({ parameters = [], responses }) => [
    ...parameters,
    ...Object.entries(responses).flatMap(([status, response]) => (Number(status) < 400 ? [] : [response])),
  ]);
  const inPlace = stated.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
  expect(new Set(inPlace).size).toBe(inPlace.length);
  expect(JSON.stringify(document).length).toBeLessThan(0.6 * JSON.stringify(whole).length);
});
