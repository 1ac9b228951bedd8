import type { z } from 'zod';
import type { AdminPermission } from './admin-roles.ts';

/** The services that a route can belong to. */
export type ServiceName =
  | 'identity'
  | 'cases'
  | 'monitoring'
  | 'notifications'
  | 'billing'
  | 'surveys'
  | 'admin-log';

/**
 * Who may call a route.
 * - `public`: anyone; a signed-in caller is still known to the handler.
 * - `user`: a signed-in user, else 401 SIGNED_OUT.
 * - `admin`: an open admin session, else 401 ADMIN_REQUIRED; a user's session does not count.
 * - `internal`: other processes of the product only; the gateway never routes it.
 */
export type Access = 'public' | 'user' | 'admin' | 'internal';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

type Schema = z.ZodType;

/**
 * One HTTP route, declared once for the service that serves it, the web app that calls it and the OpenAPI
 * document. A part without a schema does not exist: a route without `body` takes none.
 */
export interface RouteContract<
  Answer extends Schema = Schema,
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Caller extends Access = Access,
  Verb extends Method = Method,
  Path extends string = string,
> {
  /** Unique, camelCase; OpenAPI's operationId. */
  readonly id: string;
  readonly service: ServiceName;
  readonly method: Verb;
  /** Express path: `/api/case-status/:receiptNumber`; internal routes begin with `/internal/`. */
  readonly path: Path;
  readonly access: Caller;
  /** What an admin route asks of its caller's role, else 403 PERMISSION_DENIED; without one it is for owners only. */
  readonly permission?: AdminPermission;
  /** Query parameters that search personal data: closed to roles that see it masked, which could guess with them. */
  readonly personalQuery?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The status of success; the answer of a 204 and of a 303 (which says where to go in `Location`) is `z.undefined()`. */
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly answer: Answer;
  /** Set when the answer is a stream instead of JSON: one that stays open until one side ends it, or a download. */
  readonly answerType?: 'text/event-stream' | 'text/csv' | 'application/x-ndjson';
  /** What an event of a `text/event-stream` says: its `event`, `data` and `id`. */
  readonly event?: Schema;
  /** Headers of the successful answer that mean something to the caller. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  /** What can be asked next with what the successful answer says. */
  readonly next?: readonly NextStep[];
  /**
   * The caller signs the bytes of the body, or proves with a secret that it may send them: the handler gets them as `request.rawBody`,
   * what the named header says as `request.signature`, and no parsed body. The header stands in for the check of where the request
   * comes from. `type`: the media type of the body, where it is not JSON.
   */
  readonly signedBody?: {
    readonly signatureHeader: string;
    readonly description: string;
    readonly type?: string;
  };
  /** What the query carries proves that the caller may do this: where the request comes from is not checked. */
  readonly provesItself?: true;
  /** Codes of errors special to this route; the general ones (`GENERAL_ERRORS`) and those of `access` go without saying. */
  readonly errors?: readonly ErrorCode[];
  /** What the caller's sessions say may change: the gateway forgets what it cached of them. */
  readonly changesSessions?: boolean;
}

export interface AnswerHeader {
  readonly description: string;
  readonly schema: Schema;
}

/** OpenAPI's link: the operation, and where in this one's answer its path parameters are (RFC 6901, a JSON pointer). */
export interface NextStep {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Keeps the exact schema types, method and path of a route, so that handlers and clients are typed from it. The status of success is 200
 * unless given.
 */
export function defineRoute<
  Answer extends Schema,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Caller extends Access = Access,
  const Verb extends Method = Method,
  const Path extends string = string,
>(
  route: Omit<RouteContract<Answer, Params, Query, Body, Caller, Verb, Path>, 'status'> &
    Partial<Pick<RouteContract, 'status'>>,
): RouteContract<Answer, Params, Query, Body, Caller, Verb, Path> {
  return { status: 200, ...route };
}

/** Returns the media type of a request's body. */
export function bodyType({ signedBody }: Pick<RouteContract, 'signedBody'>): string {
  return signedBody?.type ?? 'application/json';
}

/** Returns whether the answer is an event stream, which stays open until one side ends it and may be silent for long. */
export function isEventStream({ answerType }: Pick<RouteContract, 'answerType'>): boolean {
  return answerType === 'text/event-stream';
}

/** Returns whether a request has to have a body; a signed one always. */
export function requiresBody({ body, signedBody }: Pick<RouteContract, 'body' | 'signedBody'>): boolean {
  return signedBody !== undefined || (body !== undefined && !body.safeParse(undefined).success);
}

/** What a handler gets after parsing: `undefined` for a part that the route does not have. */
export type Parsed<S extends Schema | undefined> = [S] extends [undefined]
  ? undefined
  : z.output<NonNullable<S>>;
/** What a client sends before parsing. */
export type Sent<S extends Schema | undefined> = [S] extends [undefined]
  ? undefined
  : z.input<NonNullable<S>>;
/** The body of the successful answer of a route. */
export type AnswerOf<R extends RouteContract> = z.output<R['answer']>;

/** Every error code a caller can meet, with the HTTP status it comes with. */
export const ERROR_STATUS = {
  VALIDATION: 400,
  BAD_REQUEST: 400,
  INVALID_SIGNATURE: 400,
  LINK_INVALID: 400,
  SIGN_IN_EXPIRED: 400,
  SIGNED_OUT: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_PASSCODE: 401,
  ADMIN_REQUIRED: 401,
  ADMIN_OFF: 403,
  SIGN_IN_REFUSED: 403,
  PERMISSION_DENIED: 403,
  WRONG_PASSWORD: 403,
  PASSKEY_REFUSED: 403,
  CSRF: 403,
  PRO_REQUIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  SAVED_CASE_LIMIT: 403,
  DEVICE_LIMIT: 403,
  NOT_FOUND: 404,
  RECEIPT_NOT_RECOGNIZED: 404,
  SAVED_CASE_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  EMAIL_TAKEN: 409,
  POLICIES_CHANGED: 409,
  ADMINISTRATOR_EXISTS: 409,
  LAST_OWNER: 409,
  PASSKEY_LIMIT: 409,
  LOG_VIEW_LIMIT: 409,
  CASE_ALREADY_SAVED: 409,
  NO_SUBSCRIPTION: 409,
  CARD_DECLINED: 402,
  ADDRESS_NEEDED: 409,
  PROMOTION_REFUSED: 409,
  SURVEY_CHANGED: 409,
  ALREADY_ANSWERED: 409,
  EDIT_CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  AGENCY_REFUSED: 422,
  RATE_LIMITED: 429,
  AGENCY_BUSY: 429,
  INTERNAL: 500,
  UPSTREAM_UNAVAILABLE: 502,
  AGENCY_UNAVAILABLE: 503,
  BUDGET_SPENT: 503,
  PAYMENTS_UNAVAILABLE: 503,
  PROVIDER_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Whose fault a failed or slow answer is where it is not ours: outside the service level objectives (docs/slo.md). */
export type Fault = 'agency' | 'quota';

const FAULTS: Partial<Record<ErrorCode, Fault>> = {
  AGENCY_UNAVAILABLE: 'agency',
  AGENCY_REFUSED: 'agency',
  AGENCY_BUSY: 'quota',
  BUDGET_SPENT: 'quota',
};

/** That the agency refuses our credentials is ours to put right. */
const OUR_CREDENTIALS = 'agency-credentials';

/** Returns whose fault an error is; undefined: ours, or the caller's. */
export const faultOf = ({ code, messageKey }: { code: ErrorCode; messageKey?: string | undefined }) =>
  messageKey === OUR_CREDENTIALS ? undefined : FAULTS[code];

/** Errors that any route may answer: also to a body that it does not take. */
export const GENERAL_ERRORS: readonly ErrorCode[] = [
  'VALIDATION',
  'BAD_REQUEST',
  'BODY_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
];
