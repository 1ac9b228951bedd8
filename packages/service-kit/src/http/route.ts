import type { Writable } from 'node:stream';
import { type AdminRole, isPermitted, seesMaskedData } from '@casewatch/contracts/admin-roles';
import type { Tier } from '@casewatch/contracts/limits';
import type { AnswerOf, Fault, Parsed, RouteContract } from '@casewatch/contracts/route-contract';
import type { z } from 'zod';
import { AppError, englishText } from '../errors/app-error.ts';
import { addressPrefix } from './limit-key.ts';
import { maskPersonalData } from './mask-personal-data.ts';

/** The signed-in user of a request, from the gateway's token. */
export interface Caller {
  userId: string;
  tier: Tier;
  /** The first name, which may have several words. */
  name: string;
  /** Which session, by its id in the list of sessions; opens nothing. */
  sessionId: string;
}

/** The open admin session behind a request to an admin route, and who opened it. */
export interface AdminCaller {
  /** For the audit trail; opens nothing. */
  sessionId: string;
  role: AdminRole;
  /** The administrator's name, or `passcode`. */
  name: string;
  /** Null for the passcode, which belongs to no one in particular. */
  administratorId: string | null;
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
  /** Returns the languages that the client asks for (`es-MX`), the preferred one first; `*` is any. */
  languages?: () => readonly string[];
  /** Where the client wants to resume an event stream: the id of the last event that it got. */
  lastEventId?: string | undefined;
  /** The bytes of the body as they came, on routes with a signed body only; whether the signature fits is not checked. */
  rawBody?: Uint8Array | undefined;
  /** What the header of the signature says, likewise. */
  signature?: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Records whose fault it is if the answer comes late. */
  blame?(fault: Fault): void;
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
  /** What is written holds no personal data of users, as the caller's role asks. */
  isMasked?: boolean;
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
 * Returns one row of a service's route list; `handle` is typed from the contract.
 * `serve` throws AppError VALIDATION for input that does not fit, SIGNED_OUT where a user is needed, ADMIN_REQUIRED
 * where an administrator is, and PERMISSION_DENIED where the administrator's role is not enough. It masks the answers to
 * roles that see personal data masked.
 */
export function route<R extends RouteContract>(
  contract: R,
  handle: (input: RouteInput<R>) => Promise<Reply<AnswerOf<R>>>,
): Route {
  return checkedRoute(contract, handle);
}

/** Does the same for a streamed answer: an error before the stream begins is still answered as JSON. */
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
      if (contract.access === 'user' && !caller) throw new AppError('SIGNED_OUT');
      if (contract.access === 'admin') requirePermission(contract, admin);
      // The contract's own schemas produced the parts, so they have the types that `R` names.
      const input = {
        params: parsePart(contract.params, params),
        query: parsePart(contract.query, query),
        body: parsePart(contract.body, body),
        caller,
        admin,
        request,
      } as RouteInput<R>;
      if (!admin || !seesMaskedData(admin.role)) return handle(input);
      refusePersonalQuery(contract, query);
      return masked(await handle(input));
    },
  };
}

/** @throws AppError ADMIN_REQUIRED without an open admin session, PERMISSION_DENIED for a role that may not do this */
export function requirePermission(
  { permission }: Pick<RouteContract, 'permission'>,
  admin: AdminCaller | undefined,
): void {
  if (!admin) throw adminRequired();
  if (!isPermitted(admin.role, permission)) throw permissionDenied();
}

/** Returns the answer to a request that needs another role. */
export function permissionDenied(): AppError {
  return new AppError('PERMISSION_DENIED');
}

function refusePersonalQuery({ personalQuery = [] }: RouteContract, query: unknown): void {
  if (typeof query !== 'object' || query === null) return;
  if (personalQuery.some((name) => Object.hasOwn(query, name))) throw permissionDenied();
}

/** A stream can't be masked here: none is shown to a role that sees masked data, unless its route masks it itself. */
function masked(reply: Reply<unknown> | StreamReply): Reply<unknown> | StreamReply {
  if (!('stream' in reply)) return { ...reply, body: maskPersonalData(reply.body) };
  if (reply.isMasked) return reply;
  throw permissionDenied();
}

/** Who acted, and from where, as the audit trail says it. */
export interface AuditActor {
  sessionId: string;
  actor: string;
  role: AdminRole;
  actorId?: string;
  /** The network, not the address: it says enough and less about a person. */
  address: string;
}

export function auditActor(admin: AdminCaller, { address }: Pick<RequestFacts, 'address'>): AuditActor {
  const { sessionId, name, role, administratorId } = admin;
  return {
    sessionId,
    actor: name,
    role,
    ...(administratorId === null ? {} : { actorId: administratorId }),
    address: addressPrefix(address),
  };
}

/** Returns the answer to a request for an admin route without an open admin session. */
export function adminRequired(): AppError {
  return new AppError('ADMIN_REQUIRED');
}

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const texts = result.error.issues.map(({ path, message }) => ({ path, ...englishText(message) }));
  const details = texts.map(({ path, en, ...key }) => ({ path: path.join('.'), message: en, ...key }));
  throw new AppError('VALIDATION', texts[0], { details });
}
