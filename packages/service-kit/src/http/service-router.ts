import { timingSafeEqual } from 'node:crypto';
import type { RouteContract } from '@casewatch/contracts/route-contract';
import { parseCookie } from 'cookie';
import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '../errors/app-error.ts';
import { createRequestObserver } from '../telemetry/request-observer.ts';
import { noTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import type { AdminTokenVerifier } from './admin-token.ts';
import type { TokenVerifier } from './identity-token.ts';
import {
  ADDRESS_HEADER,
  ADMIN_HEADER,
  IDENTITY_HEADER,
  INTERNAL_HEADER,
  REQUEST_ID_HEADER,
} from './internal-headers.ts';
import type { CookieToSet, RawRequest, Reply, Route, StreamReply } from './route.ts';

/** Bodies above this are refused with 413 (reliability promise S3). */
export const BODY_LIMIT_BYTES = 100_000;

export interface ServiceRouterOptions {
  routes: readonly Route[];
  verifyToken: TokenVerifier;
  /** Without one no caller is an administrator here. */
  verifyAdminToken?: AdminTokenVerifier;
  /** The secret that processes of the product share; without one, internal routes are not served over HTTP. */
  internalSecret: string | undefined;
  telemetry?: Telemetry;
}

/**
 * An Express router that serves a service's routes. It trusts the internal headers, so it must only be
 * reachable through the gateway (or the cluster's network policy). Errors go to `next`.
 */
export function createServiceRouter(options: ServiceRouterOptions): Router {
  const { routes, internalSecret, telemetry = noTelemetry } = options;
  const router = express.Router({ caseSensitive: true });
  const parseJson = express.json({ limit: BODY_LIMIT_BYTES, strict: true, type: 'application/json' });
  // Bytes that were unpacked on the way are not those that were signed.
  const keepBytes = express.raw({ limit: BODY_LIMIT_BYTES, inflate: false, type: 'application/json' });

  const observe = createRequestObserver(telemetry);

  for (const { contract, serve } of routes) {
    if (contract.access === 'internal' && !internalSecret) continue;
    const path = contract.path;
    const method = contract.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
    const respond = async (req: Request, res: Response) => {
      if (contract.access === 'internal') requireInternal(req, internalSecret ?? '');
      const reply = await serve({ ...callerOf(req, contract, options), ...rawRequest(req, res, contract) });
      if ('stream' in reply) begin(req, res, contract, reply);
      else send(res, contract.status, reply);
    };
    const readBody = contract.signedBody ? keepBytes : parseJson;
    if (contract.body) router[method](path, observe(contract), requireJson, readBody, respond);
    else router[method](path, observe(contract), respond);
  }
  return router;
}

function requireJson(req: Request, _res: Response, next: (error?: unknown) => void): void {
  const advice = 'Send the body as JSON, with the header Content-Type: application/json.';
  next(req.is('application/json') ? undefined : new AppError('UNSUPPORTED_MEDIA_TYPE', advice));
}

function requireInternal(req: Request, secret: string): void {
  const given = Buffer.from(req.get(INTERNAL_HEADER) ?? '');
  const expected = Buffer.from(secret);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new AppError('NOT_FOUND', 'There is nothing at this address.');
}

/** Each kind of route takes its own kind of token and is blind to the other. */
function callerOf(
  req: Request,
  { access }: RouteContract,
  { verifyToken, verifyAdminToken }: ServiceRouterOptions,
): Pick<RawRequest, 'caller' | 'admin'> {
  const token = req.get(access === 'admin' ? ADMIN_HEADER : IDENTITY_HEADER);
  if (!token) return { caller: undefined };
  if (access === 'admin') return { caller: undefined, admin: verifyAdminToken?.(token) };
  return { caller: verifyToken(token) };
}

function rawRequest(
  req: Request,
  res: Response,
  { signedBody }: RouteContract,
): Omit<RawRequest, 'caller' | 'admin'> {
  return {
    params: req.params,
    query: req.query,
    body: signedBody ? undefined : req.body,
    request: {
      requestId: req.get(REQUEST_ID_HEADER) ?? '',
      address: req.get(ADDRESS_HEADER) ?? req.socket.remoteAddress ?? '',
      get cookies() {
        return parseCookie(req.headers.cookie ?? '');
      },
      userAgent: req.get('user-agent'),
      languages: () => req.acceptsLanguages(),
      lastEventId: req.get('last-event-id'),
      // A request without a body has none to keep.
      rawBody: signedBody && Buffer.isBuffer(req.body) ? req.body : undefined,
      signature: signedBody && req.get(signedBody.signatureHeader),
      get signal() {
        return abortOnClose(res);
      },
    },
  };
}

function abortOnClose(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  return controller.signal;
}

/** `no-transform` keeps proxies on the way from holding pieces back to compress them. HEAD gets the headers alone. */
function begin(
  req: Request,
  res: Response,
  { status, answerType }: RouteContract,
  { stream, headers = {} }: StreamReply,
): void {
  res.set({
    'Content-Type': answerType,
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
    ...headers,
  });
  res.status(status);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  stream(res);
}

function send(res: Response, status: number, { body, cookies = [], headers = {} }: Reply<unknown>): void {
  for (const cookie of cookies) setCookie(res, cookie);
  res.set({ 'Cache-Control': 'no-store', ...headers }).status(status);
  if (body === undefined) res.end();
  else res.json(body);
}

function setCookie(res: Response, { name, value, maxAgeSeconds, secure, path, sameSite }: CookieToSet): void {
  res.cookie(name, value, {
    httpOnly: true,
    secure,
    path,
    sameSite: sameSite === 'Lax' ? 'lax' : 'strict',
    maxAge: maxAgeSeconds * 1000,
  });
}
