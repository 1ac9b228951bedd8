import type { Writable } from 'node:stream';
import type { Tier } from '@casewatch/contracts/limits';
import type { AnswerOf, Parsed, RouteContract } from '@casewatch/contracts/route-contract';
import type { z } from 'zod';
import { AppError } from '../errors/app-error.ts';

/** The signed-in user of a request, from the gateway's token. */
export interface Caller {
  userId: string;
  tier: Tier;
  /** The first name, which may have several words. */
  name: string;
}

/** The open admin session behind a request to an admin route; `sessionId` is for the audit trail. */
export interface AdminCaller {
  sessionId: string;
}

export interface CookieToSet {
  name: string;
  value: string;
  /** 0 removes the cookie. */
  maxAgeSeconds: number;
  secure: boolean;
  path: string;
  sameSite: 'Lax' | 'Strict';
}

export interface RequestFacts {
  requestId: string;
  /** The client's address as the gateway established it; never taken from a client's header. */
  address: string;
  cookies: Readonly<Record<string, string | undefined>>;
  /** What the client says it is. */
  userAgent?: string | undefined;
  /** Where the client wants to resume an event stream: the id of the last event that it got. */
  lastEventId?: string | undefined;
  /** The bytes of the body as they came, on routes with a signed body only; whether the signature fits is not checked. */
  rawBody?: Uint8Array | undefined;
  /** What the header of the signature says, likewise. */
  signature?: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface Reply<Body> {
  body: Body;
  cookies?: CookieToSet[];
  headers?: Record<string, string>;
}

/** The answer of a route whose contract has an `answerType`. */
export interface StreamReply {
  /**
   * Called once the headers are on their way; what is written reaches the client at once. The stream is over
   * when `out` emits `close`, whether the use case, the client or a draining server ended it.
   */
  stream(out: Writable): void;
  headers?: Record<string, string>;
}

export interface RouteInput<R extends RouteContract> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
  /** Undefined on admin routes: administrators are not users. */
  caller: R['access'] extends 'user' ? Caller : Caller | undefined;
  admin: R['access'] extends 'admin' ? AdminCaller : undefined;
  request: RequestFacts;
}

/** A request before its parts are parsed. */
export interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  caller: Caller | undefined;
  admin?: AdminCaller | undefined;
  request: RequestFacts;
}

/** A route that a service serves: the contract, and a function that parses, checks access and runs the use case. */
export interface Route {
  readonly contract: RouteContract;
  readonly serve: (raw: RawRequest) => Promise<Reply<unknown> | StreamReply>;
}

/**
 * One row of a service's route list; `handle` is typed from the contract.
 * `serve` throws AppError VALIDATION for input that does not fit, SIGNED_OUT where a user is needed and ADMIN_REQUIRED
 * where an administrator is.
 */
export function route<R extends RouteContract>(
  contract: R,
  handle: (input: RouteInput<R>) => Promise<Reply<AnswerOf<R>>>,
): Route {
  return checkedRoute(contract, handle);
}

/** The same for a streamed answer: an error before the stream begins is still answered as JSON. */
export function streamRoute<R extends RouteContract>(
  contract: R,
  handle: (input: RouteInput<R>) => Promise<StreamReply>,
): Route {
  if (!contract.answerType) throw new Error(`${contract.id} has no answerType`);
  return checkedRoute(contract, handle);
}

function checkedRoute<R extends RouteContract>(
  contract: R,
  handle: (input: RouteInput<R>) => Promise<Reply<unknown> | StreamReply>,
): Route {
  return {
    contract,
    serve: async ({ params, query, body, caller, admin, request }) => {
      if (contract.access === 'user' && !caller)
        throw new AppError('SIGNED_OUT', 'Please sign in to continue.');
      if (contract.access === 'admin' && !admin) throw adminRequired();
      // The contract's own schemas produced the parts, so they have the types that `R` names.
      const input = {
        params: parsePart(contract.params, params),
        query: parsePart(contract.query, query),
        body: parsePart(contract.body, body),
        caller,
        admin,
        request,
      } as RouteInput<R>;
      return handle(input);
    },
  };
}

/** The answer to a request for an admin route without an open admin session. */
export function adminRequired(): AppError {
  return new AppError('ADMIN_REQUIRED', 'Enter the admin passcode to continue.');
}

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
  }));
  throw new AppError('VALIDATION', details[0]?.message ?? 'The request is not valid.', { details });
}
