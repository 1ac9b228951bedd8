import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import { isEventStream, type RouteContract, type ServiceName } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminTokenIssuer } from '@casewatch/service-kit/http/admin-token';
import type { TokenIssuer } from '@casewatch/service-kit/http/identity-token';
import {
  ADDRESS_HEADER,
  ADMIN_HEADER,
  IDENTITY_HEADER,
  REQUEST_ID_HEADER,
} from '@casewatch/service-kit/http/internal-headers';
import { type AdminCaller, type Caller, requirePermission } from '@casewatch/service-kit/http/route';
import { TRACEPARENT_HEADER } from '@casewatch/service-kit/telemetry/tracing';
import { setRoute } from './access-log.ts';
import type { AdminSessions } from './admin-sessions.ts';
import type { CsrfCheck } from './csrf.ts';
import type { RateLimits } from './rate-limits.ts';
import { cleanHeaders } from './request-headers.ts';
import { checkSize } from './request-limits.ts';
import type { RouteTable } from './route-table.ts';
import type { SecurityHeaders } from './security-headers.ts';
import type { SessionStreams } from './session-streams.ts';
import { type Sessions, sessionIdOf } from './sessions.ts';
import type { StreamOpenings } from './stream-openings.ts';
import { type Forward, type Next, unavailable } from './upstream.ts';

export interface ApiOptions {
  table: RouteTable;
  sessions: Sessions;
  adminSessions: AdminSessions;
  openings: StreamOpenings;
  ownHeaders: SecurityHeaders;
  streams: SessionStreams;
  limits: RateLimits;
  checkCsrf: CsrfCheck;
  issueToken: TokenIssuer;
  issueAdminToken: AdminTokenIssuer;
  upstreams: ReadonlyMap<ServiceName, Forward>;
  /** Takes the event streams in place of their service. */
  forwardStream: Forward | undefined;
  cookieName: string;
  /** The trace context of the current request, for the service. */
  traceparent(): string | undefined;
}

/** The sender of a request: a user or an administrator, never both. */
interface From {
  caller?: Caller | undefined;
  admin?: AdminCaller;
}

/**
 * Handles requests to API routes: checks size, origin, session and the user's limit, then hands the request to its service
 * with headers that only the gateway can set. Resolves to false for a path without a route.
 */
export function createApi(options: ApiOptions) {
  const { table, sessions, adminSessions, limits, checkCsrf, streams, openings, upstreams, cookieName } =
    options;

  return async (req: IncomingMessage, res: ServerResponse, path: string, next: Next): Promise<boolean> => {
    const contract = findRoute(req.method ?? '', path, res);
    if (!contract) return false;
    setRoute(res, contract.path);
    checkSize(req);
    // A signed body or a signed token proves more than the origin of the request.
    if (!contract.signedBody && !contract.provesItself) checkCsrf(req);
    if (contract.access === 'admin') {
      const admin = await adminSessions(req.headers.cookie);
      requirePermission(contract, admin);
      hand(contract, { admin }, req, res, next);
      return true;
    }
    const sid = sessionIdOf(req.headers.cookie, cookieName);
    if (sid !== undefined && isEventStream(contract)) await openStream(contract, sid, req, res, next);
    else await serve(contract, sid, req, res, next);
    return true;
  };

  async function serve(
    contract: RouteContract,
    sid: string | undefined,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): Promise<void> {
    const caller = (sid !== undefined && sessions.cached(sid)) || (await callerOf(contract, sid));
    if (contract.access === 'user' && !caller) {
      throw new AppError('SIGNED_OUT', 'Please sign in to continue.');
    }
    if (caller) await limits.forUser(caller.userId);
    if (contract.changesSessions) forgetWhenAnswered(res, { sid, userId: caller?.userId });
    if (sid !== undefined && caller && isEventStream(contract)) streams.add(sid, caller, res);
    hand(contract, { caller }, req, res, next);
  }

  /** Turns a stream away that is one too many, or whose session or service is unavailable: a browser comes back then. */
  async function openStream(
    contract: RouteContract,
    sid: string,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): Promise<void> {
    const turnAway = () => {
      options.ownHeaders.set(res, String(req.headers[REQUEST_ID_HEADER]), 'data');
      openings.turnAway(res);
    };
    const failed: Next = (error) => {
      if (error instanceof AppError && error.code === 'UNAVAILABLE' && !res.headersSent) turnAway();
      else next(error);
    };
    if (!openings.admit()) return turnAway();
    try {
      await serve(contract, sid, req, res, failed);
    } catch (error) {
      failed(error);
    }
  }

  function findRoute(method: string, path: string, res: ServerResponse): RouteContract | undefined {
    const found = table.match(method, path);
    if (found.kind === 'none') return undefined;
    if (found.kind === 'wrong-method') {
      res.setHeader('Allow', found.allow);
      throw new AppError('METHOD_NOT_ALLOWED', `This address does not take ${method}: ${found.allow} only.`);
    }
    // Throws URIError for a malformed % sequence, which the error middleware answers 400, wherever the service is.
    if (path.includes('%')) decodeURIComponent(path);
    return found.contract;
  }

  /** A public route is served without knowing the caller while identity is unavailable. */
  async function callerOf(
    contract: RouteContract,
    sid: string | undefined,
  ): Promise<ResolvedSession | undefined> {
    if (sid === undefined) return undefined;
    try {
      return (await sessions.resolve(sid)) ?? undefined;
    } catch (error) {
      if (contract.access === 'public') return undefined;
      throw error;
    }
  }

  /** Before the answer leaves, so that the next request already finds the change; also if the client leaves first. */
  function forgetWhenAnswered(
    res: ServerResponse,
    what: { sid: string | undefined; userId: string | undefined },
  ): void {
    res.writeHead = new Proxy(res.writeHead, {
      apply(writeHead, self, args) {
        sessions.forget(what);
        return Reflect.apply(writeHead, self, args);
      },
    });
    res.once('close', () => {
      if (!res.headersSent) sessions.forget(what);
    });
  }

  function hand(
    contract: RouteContract,
    from: From,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const { service } = contract;
    const forward = (isEventStream(contract) && options.forwardStream) || upstreams.get(service);
    if (!forward) throw unavailable();
    prepareHeaders(req, service, from);
    forward(req, res, next, contract);
  }

  function prepareHeaders(req: IncomingMessage, service: ServiceName, { caller, admin }: From): void {
    const { [REQUEST_ID_HEADER]: requestId, [ADDRESS_HEADER]: address } = req.headers;
    const headers = cleanHeaders(req.headers, service === 'identity');
    headers[REQUEST_ID_HEADER] = requestId;
    headers[ADDRESS_HEADER] = address;
    const traceparent = options.traceparent();
    if (traceparent) headers[TRACEPARENT_HEADER] = traceparent;
    if (caller) headers[IDENTITY_HEADER] = options.issueToken(caller, service);
    if (admin) headers[ADMIN_HEADER] = options.issueAdminToken(admin, service);
    req.headers = headers;
  }
}
