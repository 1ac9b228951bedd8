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

/** A request on its way to the service of its route. */
interface Exchange {
  contract: RouteContract;
  req: IncomingMessage;
  res: ServerResponse;
  next: Next;
}

/**
 * Handles requests to API routes: checks size, origin, session and the user's limit, then hands the request to its service
 * with headers that only the gateway can set.
 */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Resolves to false for a path without a route. */
  async handle(req: IncomingMessage, res: ServerResponse, path: string, next: Next): Promise<boolean> {
    const { table, adminSessions, checkCsrf, cookieName } = this.#options;
    const contract = findRoute(table, req.method ?? '', path, res);
    if (!contract) return false;
    const exchange = { contract, req, res, next };
    setRoute(res, contract.path);
    checkSize(req);
    // A signed body or a signed token proves more than the origin of the request.
    if (!contract.signedBody && !contract.provesItself) checkCsrf(req);
    if (contract.access === 'admin') {
      const admin = await adminSessions(req.headers.cookie);
      requirePermission(contract, admin);
      this.#hand(exchange, { admin });
      return true;
    }
    const sid = sessionIdOf(req.headers.cookie, cookieName);
    if (sid !== undefined && isEventStream(contract)) await this.#openStream(exchange, sid);
    else await this.#serve(exchange, sid);
    return true;
  }

  async #serve(exchange: Exchange, sid: string | undefined): Promise<void> {
    const { sessions, limits, streams } = this.#options;
    const { contract, res } = exchange;
    const caller = (sid !== undefined && sessions.cached(sid)) || (await this.#callerOf(contract, sid));
    if (contract.access === 'user' && !caller) {
      throw new AppError('SIGNED_OUT');
    }
    if (caller) await limits.forUser(caller.userId);
    if (contract.changesSessions) forgetWhenAnswered(sessions, res, { sid, userId: caller?.userId });
    if (sid !== undefined && caller && isEventStream(contract)) streams.add(sid, caller, res);
    this.#hand(exchange, { caller });
  }

  /** Rejects a stream that is over the limit, or whose session or service is unavailable: a browser then retries. */
  async #openStream(exchange: Exchange, sid: string): Promise<void> {
    const { openings, ownHeaders } = this.#options;
    const { req, res } = exchange;
    const reject = () => {
      ownHeaders.set(res, String(req.headers[REQUEST_ID_HEADER]), 'data');
      openings.reject(res);
    };
    const failed: Next = (error) => {
      if (error instanceof AppError && error.code === 'UNAVAILABLE' && !res.headersSent) reject();
      else exchange.next(error);
    };
    if (!openings.admit()) return reject();
    try {
      await this.#serve({ ...exchange, next: failed }, sid);
    } catch (error) {
      failed(error);
    }
  }

  /** A public route is served without knowing the caller while identity is unavailable. */
  async #callerOf(contract: RouteContract, sid: string | undefined): Promise<ResolvedSession | undefined> {
    if (sid === undefined) return undefined;
    try {
      return (await this.#options.sessions.resolve(sid)) ?? undefined;
    } catch (error) {
      if (contract.access === 'public') return undefined;
      throw error;
    }
  }

  #hand({ contract, req, res, next }: Exchange, from: From): void {
    const { forwardStream, upstreams } = this.#options;
    const { service } = contract;
    const forward = (isEventStream(contract) && forwardStream) || upstreams.get(service);
    if (!forward) throw unavailable();
    this.#prepareHeaders(req, service, from);
    forward(req, res, next, contract);
  }

  #prepareHeaders(req: IncomingMessage, service: ServiceName, { caller, admin }: From): void {
    const { [REQUEST_ID_HEADER]: requestId, [ADDRESS_HEADER]: address } = req.headers;
    const headers = cleanHeaders(req.headers, service === 'identity');
    headers[REQUEST_ID_HEADER] = requestId;
    headers[ADDRESS_HEADER] = address;
    const traceparent = this.#options.traceparent();
    if (traceparent) headers[TRACEPARENT_HEADER] = traceparent;
    if (caller) headers[IDENTITY_HEADER] = this.#options.issueToken(caller, service);
    if (admin) headers[ADMIN_HEADER] = this.#options.issueAdminToken(admin, service);
    req.headers = headers;
  }
}

function findRoute(
  table: RouteTable,
  method: string,
  path: string,
  res: ServerResponse,
): RouteContract | undefined {
  const found = table.match(method, path);
  if (found.kind === 'none') return undefined;
  if (found.kind === 'wrong-method') {
    res.setHeader('Allow', found.allow);
    const en = `This address accepts only ${found.allow}.`;
    throw new AppError('METHOD_NOT_ALLOWED', { en });
  }
  // Throws URIError for a malformed % sequence, which the error middleware answers 400, wherever the service is.
  if (path.includes('%')) decodeURIComponent(path);
  return found.contract;
}

/** Before the answer leaves, so that the next request already finds the change; also if the client leaves first. */
function forgetWhenAnswered(
  sessions: Sessions,
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
