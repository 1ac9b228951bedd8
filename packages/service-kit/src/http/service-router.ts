import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import {
  bodyType,
  isEventStream,
  type RouteContract,
  requiresBody,
} from '@casewatch/contracts/route-contract';
import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '../errors/app-error.ts';
import { createRequestObserver } from '../telemetry/request-observer.ts';
import { noTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import type { AdminTokenVerifier } from './admin-token.ts';
import { markEventStream } from './http-server.ts';
import type { TokenVerifier } from './identity-token.ts';
import { ADMIN_HEADER, IDENTITY_HEADER, INTERNAL_HEADER } from './internal-headers.ts';
import { rawRequest, textOf } from './raw-request.ts';
import type { CookieToSet, RawRequest, Reply, Route, StreamReply } from './route.ts';

/** Bodies above this are refused with 413 (reliability promise S3). */
export const BODY_LIMIT_BYTES = 100_000;

export interface ServiceRouterOptions {
  routes: readonly Route[];
  verifyToken: TokenVerifier;
  /** Without one no caller is an administrator here. */
  verifyAdminToken?: AdminTokenVerifier;
  /** The secrets that processes of the product share, each accepted; without one, internal routes are not served over HTTP. */
  internalSecrets: readonly string[] | undefined;
  telemetry?: Telemetry;
}

/**
 * Answers one request without Express, whose layers and prototypes cost as much as the rest; a stream would hold them for
 * hours. `ownHeaders` are written with the answer's, as pairs one after another. Errors go to `next`, before anything is
 * written.
 */
export type DirectAnswer = (
  req: IncomingMessage,
  res: ServerResponse,
  ownHeaders: readonly string[],
  next: (error: unknown) => void,
) => void;

export interface ServiceRouter extends Router {
  /** Returns how a GET of this route can be answered directly: users' reads of JSON and event streams; undefined for all others. */
  directAnswer(contract: RouteContract): DirectAnswer | undefined;
  /** The same for a path without its query: of the first GET that Express would take for it. */
  directAnswerAt(path: string): DirectAnswer | undefined;
}

/**
 * Creates an Express router that serves a service's routes. It trusts the internal headers, so it must only be
 * reachable through the gateway (or the cluster's network policy). Errors go to `next`.
 */
export function createServiceRouter(options: ServiceRouterOptions): ServiceRouter {
  const { routes, internalSecrets = [], telemetry = noTelemetry } = options;
  const router = express.Router({ caseSensitive: true });
  const parseJson = express.json({ limit: BODY_LIMIT_BYTES, strict: true, type: 'application/json' });
  // Bytes that were unpacked on the way are not those that were signed.
  const keepBytes = (type: string) => express.raw({ limit: BODY_LIMIT_BYTES, inflate: false, type });

  const observe = createRequestObserver(telemetry);
  const direct = new Map<RouteContract, DirectAnswer>();
  const reads = createReadsByPath();

  for (const { contract, serve } of routes) {
    if (contract.access === 'internal' && internalSecrets.length === 0) continue;
    const path = contract.path;
    const method = contract.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
    const respond = async (req: Request, res: Response) => {
      if (contract.access === 'internal') requireInternal(req, internalSecrets);
      const reply = await serve({
        ...callerOf(req.headers, contract, options),
        ...rawRequest(req, res, contract, req),
      });
      if ('stream' in reply) begin(req, res, contract, reply);
      else send(res, contract.status, reply);
    };
    const type = bodyType(contract);
    const readBody = contract.signedBody ? keepBytes(type) : parseJson;
    const requireType = requiresBody(contract) ? requireBodyOf(type) : requireJsonInBody;
    if (contract.body) router[method](path, observe(contract), requireType, readBody, respond);
    else router[method](path, observe(contract), respond);
    const isDirect = isPlainRead(contract) || isEventStream(contract);
    const answer = isDirect ? answerDirectly({ contract, serve }) : undefined;
    if (answer) direct.set(contract, answer);
    if (contract.method === 'GET') reads.add(path, answer);
  }
  return Object.assign(router, {
    directAnswer: (contract: RouteContract) => direct.get(contract),
    directAnswerAt: reads.answerAt,
  });

  function answerDirectly({ contract, serve }: Route): DirectAnswer {
    const observed = observe(contract);
    const paramsOf = createParamsReader(contract.path);
    const answer: DirectAnswer = async (req, res, ownHeaders, next) => {
      try {
        const [path = '', query = ''] = splitUrl(req.url ?? '');
        const parts = { params: paramsOf(path), query: parseQuery(query), body: undefined };
        const reply = await serve({
          ...callerOf(req.headers, contract, options),
          ...rawRequest(req, res, contract, parts),
        });
        if ('stream' in reply) return beginDirectly(req, res, contract, reply, ownHeaders);
        if (reply.cookies) throw new Error(`${contract.id} sets a cookie`);
        sendJson(res, contract.status, reply, ownHeaders);
      } catch (error) {
        next(error);
      }
    };
    return (req, res, ownHeaders, next) => observed(req, res, () => void answer(req, res, ownHeaders, next));
  }
}

/** A user's GET that answers JSON and sets no cookie. */
function isPlainRead({ method, access, status, body, answerType, signedBody }: RouteContract): boolean {
  return method === 'GET' && access === 'user' && status === 200 && !body && !answerType && !signedBody;
}

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** Finds the answer of a path among the patterns of GETs, of which the first that fits counts, as in Express. */
function createReadsByPath() {
  const patterns: { segments: readonly string[]; answer: DirectAnswer | undefined }[] = [];
  return {
    add: (pattern: string, answer: DirectAnswer | undefined) =>
      void patterns.push({ segments: pattern.split('/'), answer }),
    answerAt(path: string): DirectAnswer | undefined {
      const given = path.split('/');
      return patterns.find(({ segments }) => fits(segments, given))?.answer;
    },
  };
}

function fits(pattern: readonly string[], given: readonly string[]): boolean {
  if (pattern.length !== given.length) return false;
  return pattern.every((segment, at) => (segment.startsWith(':') ? given[at] !== '' : segment === given[at]));
}

/** Reads the parameters of a path that is known to fit the pattern. */
function createParamsReader(pattern: string): (path: string) => Record<string, string> {
  const names = pattern
    .split('/')
    .flatMap((segment, at) => (segment.startsWith(':') ? [{ name: segment.slice(1), at }] : []));
  return (path) => {
    if (names.length === 0) return {};
    const segments = path.split('/');
    return Object.fromEntries(names.map(({ name, at }) => [name, decodeURIComponent(segments[at] ?? '')]));
  };
}

/** One call with pairs: setting headers one by one costs three times as much. */
function sendJson(
  res: ServerResponse,
  status: number,
  { body, headers = {} }: Reply<unknown>,
  ownHeaders: readonly string[],
): void {
  const json = JSON.stringify(body);
  res.writeHead(status, [
    ...ownHeaders,
    ...Object.entries({ 'Cache-Control': 'no-store', ...headers }).flat(),
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(json)),
  ]);
  res.end(json);
}

function requireBodyOf(type: string) {
  return (req: Request, _res: Response, next: (error?: unknown) => void): void =>
    next(req.is(type) ? undefined : new AppError('UNSUPPORTED_MEDIA_TYPE'));
}

const requireJson = requireBodyOf('application/json');

/** The same for a route whose body may be left out. */
function requireJsonInBody(req: Request, res: Response, next: (error?: unknown) => void): void {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = req.headers;
  if (length === '0' && chunked === undefined) next();
  else requireJson(req, res, next);
}

function requireInternal(req: Request, secrets: readonly string[]): void {
  const given = Buffer.from(req.get(INTERNAL_HEADER) ?? '');
  const isGiven = (secret: string) => {
    const expected = Buffer.from(secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (secrets.some(isGiven)) return;
  throw new AppError('NOT_FOUND');
}

/** Each kind of route takes its own kind of token and is blind to the other. */
function callerOf(
  headers: IncomingHttpHeaders,
  { access }: RouteContract,
  { verifyToken, verifyAdminToken }: ServiceRouterOptions,
): Pick<RawRequest, 'caller' | 'admin'> {
  const token = textOf(headers[access === 'admin' ? ADMIN_HEADER : IDENTITY_HEADER]);
  if (!token) return { caller: undefined };
  if (access === 'admin') return { caller: undefined, admin: verifyAdminToken?.(token) };
  return { caller: verifyToken(token) };
}

/** `no-transform` keeps proxies on the way from holding pieces back to compress them. */
const UNBUFFERED = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** HEAD gets the headers alone. */
function begin(
  req: Request,
  res: Response,
  { status, answerType }: RouteContract,
  { stream, headers = {} }: StreamReply,
): void {
  res.set({ 'Content-Type': answerType, ...UNBUFFERED, ...headers });
  res.status(status);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  stream(res);
}

function beginDirectly(
  req: IncomingMessage,
  res: ServerResponse,
  { status, answerType }: RouteContract,
  { stream, headers = {} }: StreamReply,
  ownHeaders: readonly string[],
): void {
  const described = { 'Content-Type': `${answerType}; charset=utf-8`, ...UNBUFFERED, ...headers };
  res.writeHead(status, [...ownHeaders, ...Object.entries(described).flat()]);
  markEventStream(res);
  // The head and the first events leave in one piece.
  res.cork();
  res.flushHeaders();
  // The stream lasts for hours: what was read of its request is not kept for that time.
  req.headers = {};
  req.rawHeaders = [];
  stream(res);
  res.uncork();
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
