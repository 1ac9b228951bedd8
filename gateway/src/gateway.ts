import { randomUUID } from 'node:crypto';
import { createOpenApiDocument } from '@casewatch/contracts/openapi';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { routes } from '@casewatch/contracts/routes';
import type { AdminTokenIssuer } from '@casewatch/service-kit/http/admin-token';
import { createErrorMiddleware, notFound } from '@casewatch/service-kit/http/error-middleware';
import type { TokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { bareExpress, createProbes } from '@casewatch/service-kit/http/service-app';
import { adminCookieName, sessionCookieName } from '@casewatch/service-kit/http/session-cookie';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { clientCalls } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import type { Express, RequestHandler } from 'express';
import { type AccessLog, createAccessLog } from './access-log.ts';
import { type AdminSessionResolver, createAdminSessions } from './admin-sessions.ts';
import { createApi } from './api.ts';
import { clientAddress } from './client-address.ts';
import type { GatewaySettings } from './config.ts';
import { createCsrfCheck } from './csrf.ts';
import { createDocs, DOCS_PATH } from './docs/docs.ts';
import { paymentSources } from './payment-sources.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { createRefusalLog } from './refusal-log.ts';
import { createRemoteUpstream } from './remote-upstream.ts';
import { refuseChunked } from './request-limits.ts';
import { areaOf, isApiPath, pathOf } from './request-path.ts';
import { createRouteTable } from './route-table.ts';
import { createSecurityHeaders, type ExtraSources, type SecurityHeaders } from './security-headers.ts';
import { createSessionStreams } from './session-streams.ts';
import { createSessions, type SessionResolver } from './sessions.ts';
import type { Forward, Upstream, Upstreams } from './upstream.ts';
import { explainLimitOnPage } from './web/explain-limit.ts';
import { serveWeb } from './web/serve-web.ts';
import { readWebFiles } from './web/web-files.ts';

export type { Upstream };

/** Neither logged, measured nor limited: see the gateway's README. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

export interface GatewayDeps {
  settings: GatewaySettings;
  logger: Logger;
  clock: Clock;
  limiters: LimiterFactory;
  /** Between the gateways of the product. */
  invalidation: Invalidation;
  issueToken: TokenIssuer;
  issueAdminToken: AdminTokenIssuer;
  resolveSession: SessionResolver;
  resolveAdminSession: AdminSessionResolver;
  upstreams: Upstreams;
  /** The folder of the built web app; a folder that does not exist (yet) is answered with a plain 503. */
  webRoot: string | undefined;
  /** Rejects with the reason while this process should get no traffic. */
  ready(): Promise<void>;
  /** False when only a new start can help. */
  alive?: () => boolean;
  telemetry: Telemetry;
  extraSources?: ExtraSources;
}

export interface Gateway {
  readonly app: Express;
  /** Makes every gateway forget a user's sessions: for changes that did not come through a gateway. */
  forgetSessionsOf(userId: string): void;
  /** Closes the connections to services in other processes. */
  stop(): Promise<void>;
}

/** Builds the product's only entrance: web app, API, documentation and probes. One middleware answers all errors. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { settings, logger, clock } = deps;
  const cookieName = sessionCookieName(settings.PUBLIC_URL);
  const adminCookie = adminCookieName(settings.PUBLIC_URL);
  const files = readWebFiles(deps.webRoot);
  const headers = createSecurityHeaders({
    publicUrl: settings.PUBLIC_URL,
    pages: [...files].filter(([url]) => url.endsWith('.html')).map(([, file]) => String(file.plain.content)),
    extraSources: deps.extraSources ?? paymentSources(deps.settings),
  });
  const sessions = createSessions({
    resolve: deps.resolveSession,
    invalidation: deps.invalidation,
    clock,
    logger,
    meter: deps.telemetry.meter,
    cacheSeconds: settings.SESSION_CACHE_SECONDS,
  });
  const streams = createSessionStreams({ sessions, clock });
  const { forwards, stop: closeUpstreams } = connect(deps, headers.names);
  const describe = () =>
    createOpenApiDocument(routes, {
      version: '1',
      cookieName,
      adminCookieName: adminCookie,
      serverUrl: new URL(settings.PUBLIC_URL).origin,
    });

  const refusals = createRefusalLog(logger, clock);
  const limits = createRateLimits(deps.limiters, {
    api: settings.RATE_LIMIT_PER_ADDRESS_PER_MINUTE,
    web: settings.RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE,
    user: settings.RATE_LIMIT_PER_USER_PER_MINUTE,
  });

  const app = bareExpress();
  // The API comes first: each layer before it would cost every call.
  app.use(
    begin({
      headers,
      log: createAccessLog(logger, deps.telemetry, refusals),
      limits,
      trustedHops: settings.TRUST_PROXY_HOPS,
    }),
  );
  app.use(
    createApi({
      table: createRouteTable(routes),
      sessions,
      streams,
      adminSessions: createAdminSessions({
        resolve: deps.resolveAdminSession,
        cookieName: adminCookie,
        logger,
      }),
      limits,
      checkCsrf: createCsrfCheck(settings.PUBLIC_URL),
      issueToken: deps.issueToken,
      issueAdminToken: deps.issueAdminToken,
      upstreams: forwards,
      traceparent: deps.telemetry.tracing.traceparent,
      cookieName,
    }),
  );
  app.use(createProbes({ ready: deps.ready, ...(deps.alive ? { alive: deps.alive } : {}), logger }));
  app.use(createDocs(describe));
  app.use(serveWeb(files, cookieName));
  app.use(notFound);
  app.use(explainLimitOnPage);
  app.use(createErrorMiddleware(logger));
  return {
    app,
    stop: async () => {
      refusals.stop();
      streams.stop();
      await closeUpstreams();
    },
    forgetSessionsOf: (userId) => sessions.forget({ userId }),
  };
}

interface Entrance {
  headers: SecurityHeaders;
  log: AccessLog;
  limits: RateLimits;
  trustedHops: number;
}

/** Every answer gets a request id and the security headers; every request but a probe counts for its address. */
function begin({ headers, log, limits, trustedHops }: Entrance): RequestHandler {
  return (req, res, next) => {
    const requestId = randomUUID();
    req.headers[REQUEST_ID_HEADER] = requestId;
    res.setHeader('X-Request-Id', requestId);
    const path = pathOf(req);
    if (isApiPath(path) && path !== DOCS_PATH) headers.setForData(res);
    else headers.setForPage(res);
    if (isProbe(req.method, path)) {
      refuseChunked(req, res);
      return next();
    }
    const address = clientAddress(req, trustedHops);
    req.headers[ADDRESS_HEADER] = address;
    log(req, res, requestId, () => {
      limits
        .forAddress(address, areaOf(path))
        .then(() => refuseChunked(req, res))
        .then(() => next(), next);
    });
  };
}

function isProbe(method: string, path: string): boolean {
  return PROBES.has(path) && (method === 'GET' || method === 'HEAD');
}

function connect({ upstreams, settings, logger, telemetry }: GatewayDeps, ownHeaders: ReadonlySet<string>) {
  const count = clientCalls(telemetry.meter);
  const forwards = new Map<ServiceName, Forward>();
  const stops: (() => Promise<void>)[] = [];
  for (const [service, upstream] of upstreams) {
    if (upstream.kind === 'local') {
      forwards.set(service, upstream.router);
      continue;
    }
    const remote = createRemoteUpstream({
      service,
      url: upstream.url,
      timeoutMs: settings.UPSTREAM_TIMEOUT_SECONDS * 1000,
      count,
      tracing: telemetry.tracing,
      logger,
      ownHeaders,
    });
    forwards.set(service, remote.forward);
    stops.push(remote.stop);
  }
  return {
    forwards,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
