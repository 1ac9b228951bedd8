import type { JsonSchema, OpenApiHeader, OpenApiResponse, ToSchema } from './openapi-document.ts';
import { ERROR_STATUS, type ErrorCode, GENERAL_ERRORS, type RouteContract } from './route-contract.ts';

/** Headers that many answers have, by name. */
export const RESPONSE_HEADERS: Record<string, OpenApiHeader> = {
  'X-Request-Id': {
    description: 'Names the request in our logs; errors repeat it in their body.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
};

const READING: readonly string[] = ['GET', 'HEAD'];
const WITHOUT_BODY: readonly number[] = [204, 303];
const RETRY_STATUSES: readonly number[] = [429, 503];

/** Returns every answer of a route by its status: the successful one, and one for each status that an error can come with. */
export function responsesOf(route: RouteContract, toSchema: ToSchema): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = { [route.status]: success(route, toSchema) };
  for (const [status, codes] of byStatus(errorCodes(route))) responses[status] = errorResponse(status, codes);
  return responses;
}

function success(route: RouteContract, toSchema: ToSchema): OpenApiResponse {
  const { status, answerType = 'application/json', answer, event, answerHeaders = {}, next = [] } = route;
  const special = Object.entries(answerHeaders).map(([name, { description, schema }]) => [
    name,
    { description, schema: toSchema(schema, 'output') },
  ]);
  return {
    description: status === 303 ? 'See there' : 'Done',
    headers: {
      ...shared('X-Request-Id'),
      ...(status === 303 ? { Location: { description: 'Where to go', schema: { type: 'string' } } } : {}),
      ...Object.fromEntries(special),
    },
    ...(WITHOUT_BODY.includes(status)
      ? {}
      : { content: { [answerType]: { schema: toSchema(event ?? answer, 'output') } } }),
    ...(next.length > 0 ? { links: linksOf(next) } : {}),
  };
}

function linksOf(next: NonNullable<RouteContract['next']>): NonNullable<OpenApiResponse['links']> {
  return Object.fromEntries(
    next.map(({ operationId, parameters }) => {
      const places = Object.entries(parameters).map(([name, at]) => [name, `$response.body#${at}`]);
      return [operationId, { operationId, parameters: Object.fromEntries(places) }];
    }),
  );
}

/** Every code that the route can answer: its own, the general ones, and those of its method, caller and body. */
function errorCodes(route: RouteContract): Set<ErrorCode> {
  const { method, access, body, params, query, signedBody, provesItself, errors = [] } = route;
  const takesInput = params || query || body;
  return new Set<ErrorCode>([
    ...GENERAL_ERRORS.filter((code) => code !== 'VALIDATION' || takesInput),
    ...(body ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(READING.includes(method) || signedBody || provesItself ? [] : (['CSRF'] as const)),
    ...(access === 'user' ? (['SIGNED_OUT'] as const) : []),
    ...(access === 'admin' ? (['ADMIN_REQUIRED', 'PERMISSION_DENIED'] as const) : []),
    ...errors,
  ]);
}

function byStatus(codes: Iterable<ErrorCode>): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = ERROR_STATUS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function errorResponse(status: number, codes: ErrorCode[]): OpenApiResponse {
  const schema: JsonSchema = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { code: { enum: codes } },
  };
  return {
    description: codes.join(', '),
    headers: { ...shared('X-Request-Id'), ...(RETRY_STATUSES.includes(status) ? shared('Retry-After') : {}) },
    content: { 'application/json': { schema } },
  };
}

function shared(name: string) {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}
