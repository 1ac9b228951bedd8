import { z } from 'zod';
import { errorBody } from './error-body.ts';
import type {
  Json,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  ToSchema,
} from './openapi-document.ts';
import { RESPONSE_HEADERS, responsesOf } from './openapi-responses.ts';
import {
  bodyType,
  isEventStream,
  type RouteContract,
  requiresBody,
  type ServiceName,
} from './route-contract.ts';

export interface OpenApiOptions {
  version: string;
  /** Name of the session cookie; it depends on whether the product is served over HTTPS. */
  cookieName: string;
  /** Name of the admin session's cookie, likewise. */
  adminCookieName: string;
  serverUrl?: string;
}

const TAG_DESCRIPTIONS: Record<ServiceName, string> = {
  identity: 'Sign up, sign in, and the account',
  cases: 'Case status and saved cases',
  monitoring: 'Automatic checks',
  notifications: 'Notices of status changes',
  billing: 'Plans and payment',
  surveys: 'Feedback surveys',
  'admin-log': 'Logs for administrators',
};

const SESSION = 'session';
/** The security scheme of admin routes. */
export const ADMIN_SECURITY = 'admin';

/** Creates the OpenAPI 3.1 document of every route that a browser or a program may call; internal routes are left out. */
export function createOpenApiDocument(
  routes: readonly RouteContract[],
  { version, cookieName, adminCookieName, serverUrl = '/' }: OpenApiOptions,
): OpenApiDocument {
  const shown = routes.filter((route) => route.access !== 'internal');
  const schemas: Record<string, JsonSchema> = {};
  const toSchema = (schema: z.ZodType, io: 'input' | 'output') => jsonSchema(schema, io, schemas);

  toSchema(errorBody, 'output');
  const paths: OpenApiDocument['paths'] = {};
  for (const route of shown) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, toSchema) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Casewatch API',
      version,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this installation', url: serverUrl },
      description:
        'Look up US immigration cases by receipt number and keep them. Sign in to get the session cookie; ' +
        "requests that change something must come from the product's own pages or carry its Origin header. " +
        'A path that exists, asked with a method that it does not have, is answered 405 with the header Allow.',
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(shown.map((route) => route.service))].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name],
    })),
    paths,
    components: {
      schemas,
      headers: RESPONSE_HEADERS,
      securitySchemes: {
        [SESSION]: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description: 'Set by signing in or signing up.',
        },
        [ADMIN_SECURITY]: {
          type: 'apiKey',
          in: 'cookie',
          name: adminCookieName,
          description: 'Set by signing in to the admin area; sent to /api/admin only.',
        },
      },
    },
  };
}

function operation(route: RouteContract, toSchema: ToSchema): OpenApiOperation {
  const parameters = [
    ...parametersOf(route.params, 'path', toSchema),
    ...parametersOf(route.query, 'query', toSchema),
    ...headersAsked(route),
  ];
  return {
    operationId: route.id,
    tags: [route.service],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: requiresBody(route),
            content: { [bodyType(route)]: { schema: toSchema(route.body, 'input') } },
          },
        }
      : {}),
    responses: responsesOf(route, toSchema),
  };
}

function securityOf({ access }: RouteContract): Json[] {
  if (access === 'admin') return [{ [ADMIN_SECURITY]: [] }];
  return access === 'user' ? [{ [SESSION]: [] }] : [];
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  toSchema: ToSchema,
): OpenApiParameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input');
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = typeof property === 'boolean' ? {} : property;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function headersAsked(route: RouteContract): OpenApiParameter[] {
  const header = (name: string, required: boolean, description: string): OpenApiParameter => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(route.signedBody
      ? [header(route.signedBody.signatureHeader, true, route.signedBody.description)]
      : []),
    ...(isEventStream(route)
      ? [header('Last-Event-ID', false, 'The id of the last event that arrived; browsers send it.')]
      : []),
  ];
}

/** JSON Schema of `schema`; schemas with an id go to `named` and are referred to. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  named: Record<string, JsonSchema>,
): JsonSchema {
  const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      // zod spells these formats out as long patterns, which say nothing more.
      if (made.format === 'date-time' || made.format === 'uuid') delete made.pattern;
    },
  });
  for (const [id, definition] of Object.entries($defs)) named[id] ??= refer(definition);
  return refer(properties?.it);
}

/** A copy in which references to zod's definitions point to the document's components. */
function refer(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
