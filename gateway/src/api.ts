import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/platform/errors/app-error';
import type { AdminTokenIssuer } from '@casewatch/platform/http/admin-token';
import type { TokenIssuer } from '@casewatch/platform/http/identity-token';
import {
  ADDRESS_HEADER,
  ADMIN_HEADER,
  IDENTITY_HEADER,
  REQUEST_ID_HEADER,
} from '@casewatch/platform/http/internal-headers';
import type { AdminCaller, Caller } from '@casewatch/platform/http/route';
import { TRACEPARENT_HEADER } from '@casewatch/platform/telemetry/tracing';
import type { NextFunction, Request, Response } from 'express';
import { setRoute } from './access-log.ts';
import type { AdminSessions } from './admin-sessions.ts';
import { clientAddress } from './client-address.ts';
import type { CsrfCheck } from './csrf.ts';
import type { RateLimits } from './rate-limits.ts';
import { cleanHeaders } from './request-headers.ts';
import { checkSize } from './request-limits.ts';
import { isApiPath, pathOf } from './request-path.ts';
import type { RouteTable } from './route-table.ts';
import { sessionIdOf } from './session-id.ts';
import type { Sessions } from './sessions.ts';
import { type Forward, unavailable } from './upstream.ts';

export interface ApiOptions {
  table: RouteTable;
  sessions: Sessions;
  adminSessions: AdminSessions;
  limits: RateLimits;
  checkCsrf: CsrfCheck;
  issueToken: TokenIssuer;
  issueAdminToken: AdminTokenIssuer;
  upstreams: ReadonlyMap<ServiceName, Forward>;
  cookieName: string;
  trustedHops: number;
  /** The trace of the request under way, to hand on. */
  traceparent(): string | undefined;
}

/** What the gateway found out about who sends a request: a user or an administrator, never both. */
interface From {
  address: string;
  caller?: Caller | undefined;
  admin?: AdminCaller;
}

/**
 * What happens to a request of an API route: size, origin, limits and session are settled here, then it goes to its
 * one service with headers that only the gateway can set. Other paths go to `next`.
 */
export function createApi(options: ApiOptions) {
  const { table, sessions, adminSessions, limits, checkCsrf, upstreams, cookieName, trustedHops } = options;

  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const path = pathOf(req);
    if (!isApiPath(path)) return next();
    const contract = findRoute(req.method, path, res);
    if (!contract) return next();
    setRoute(res, contract.path);
    checkSize(req);
    // Who can sign the body, or brings a signed token, needs no word of where the request comes from.
    if (!contract.signedBody && !contract.provesItself) checkCsrf(req);
    const address = clientAddress(req, trustedHops);
    await limits.forAddress(address);

    if (contract.access === 'admin') {
      const admin = await adminSessions(req.headers.cookie);
      return hand(contract, { address, admin }, req, res, next);
    }
    const sid = sessionIdOf(req.headers.cookie, cookieName);
    const caller = await callerOf(contract, sid);
    if (contract.access === 'user' && !caller) {
      throw new AppError('SIGNED_OUT', 'Please sign in to continue.');
    }
    if (caller) await limits.forUser(caller.userId);
    if (contract.changesSessions) forgetWhenAnswered(res, { sid, userId: caller?.userId });
    hand(contract, { address, caller }, req, res, next);
  };

  function findRoute(method: string, path: string, res: Response): RouteContract | undefined {
    const found = table.match(method, path);
    if (found.kind === 'none') return undefined;
    if (found.kind === 'wrong-method') {
      res.set('Allow', found.allow);
      throw new AppError('METHOD_NOT_ALLOWED', `This address does not take ${method}: ${found.allow} only.`);
    }
    // Throws URIError for a malformed % sequence, which the error middleware answers 400, wherever the service is.
    if (path.includes('%')) decodeURIComponent(path);
    return found.contract;
  }

  /** A public route is served without knowing the caller when identity can't be asked. */
  async function callerOf(contract: RouteContract, sid: string | undefined): Promise<Caller | undefined> {
    if (sid === undefined) return undefined;
    try {
      return (await sessions.resolve(sid)) ?? undefined;
    } catch (error) {
      if (contract.access === 'public') return undefined;
      throw error;
    }
  }

  /** Before the answer leaves, so that the next request already meets the change; also if it never leaves. */
  function forgetWhenAnswered(
    res: Response,
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

  function hand(contract: RouteContract, from: From, req: Request, res: Response, next: NextFunction): void {
    const { service } = contract;
    const forward = upstreams.get(service);
    if (!forward) throw unavailable();
    prepareHeaders(req, service, from);
    forward(req, res, next, contract);
  }

  function prepareHeaders(req: Request, service: ServiceName, { address, caller, admin }: From): void {
    const requestId = req.headers[REQUEST_ID_HEADER];
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
