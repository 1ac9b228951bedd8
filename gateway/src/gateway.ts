import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createOpenApiDocument } from '@casewatch/contracts/openapi';
import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import { routes } from '@casewatch/contracts/routes';
import type { AdminTokenIssuer } from '@casewatch/service-kit/http/admin-token';
import type { TokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { bareExpress } from '@casewatch/service-kit/http/service-app';
import { adminCookieName, sessionCookieName } from '@casewatch/service-kit/http/session-cookie';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { clientCalls } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import type { ErrorRequestHandler } from 'express';
import { createAccessLog } from './access-log.ts';
import { type AdminSessionResolver, createAdminSessions } from './admin-sessions.ts';
import { Api } from './api.ts';
import { clientAddress } from './client-address.ts';
import type { GatewaySettings } from './config.ts';
import { createCsrfCheck } from './csrf.ts';
import { paymentSources } from './payment-sources.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { createRefusalLog } from './refusal-log.ts';
import { createRemoteUpstream } from './remote-upstream.ts';
import { refuseChunked } from './request-limits.ts';
import { areaOf, isApiPath, pathOf } from './request-path.ts';
import { createRouteTable } from './route-table.ts';
import { createSecurityHeaders, type SecurityHeaders } from './security-headers.ts';
import { SessionStreams } from './session-streams.ts';
import { createSessions, type SessionResolver } from './sessions.ts';
import { createSite, type Site } from './site.ts';
import { createStreamOpenings } from './stream-openings.ts';
import type { Forward, LocalUpstream, Upstream, Upstreams } from './upstream.ts';
import { withPageAddresses } from './web/page-language.ts';
import { pagesElsewhere, withPolicyPages } from './web/policy-pages.ts';
import { withSiteFiles } from './web/site-files.ts';
import { withSupportContact } from './web/support-contact.ts';
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
  /** Where the role `streams` takes the event streams; unless given, the service itself does. */
  streamsUrl?: string | undefined;
  /** The only routes; unless given, all of them next to the web app and the documentation. */
  only?: readonly RouteContract[];
  /** The folder of the built web app; a folder that does not exist (yet) is answered with a plain 503. */
  webRoot: string | undefined;
  /** Rejects with the reason while this process should get no traffic. */
  ready(): Promise<void>;
  /** False when only a new start can help. */
  alive?: () => boolean;
  telemetry: Telemetry;
}

export type Gateway = ReturnType<typeof createGateway>;

/** Builds the product's only entrance: web app, API, documentation and probes. One middleware answers all errors. */
export function createGateway(deps: GatewayDeps) {
  const { settings, logger, clock } = deps;
  const cookieName = sessionCookieName(settings.PUBLIC_URL);
  const adminCookie = adminCookieName(settings.PUBLIC_URL);
  const built = withPageAddresses(withPolicyPages(readWebFiles(deps.webRoot), settings), settings.PUBLIC_URL);
  const elsewhere = pagesElsewhere(settings);
  const support = { email: settings.SUPPORT_EMAIL, url: settings.SUPPORT_URL };
  const files = withSiteFiles(withSupportContact(built, support), {
    publicUrl: settings.PUBLIC_URL,
    support,
    nowMs: clock.nowMs(),
    elsewhere,
  });
  const headers = createSecurityHeaders({
    publicUrl: settings.PUBLIC_URL,
    pages: [...files].filter(([url]) => url.endsWith('.html')).map(([, file]) => String(file.plain.content)),
    extraSources: paymentSources(settings),
  });
  const sessions = createSessions({
    resolve: deps.resolveSession,
    invalidation: deps.invalidation,
    clock,
    logger,
    meter: deps.telemetry.meter,
    cacheSeconds: settings.SESSION_CACHE_SECONDS,
  });
  const streams = new SessionStreams({ sessions, clock });
  const describe = () =>
    createOpenApiDocument(routes, {
      version: '1',
      cookieName,
      adminCookieName: adminCookie,
      serverUrl: new URL(settings.PUBLIC_URL).origin,
    });

  const { ready, alive } = deps;
  const site = createSite({
    headers,
    pages: deps.only ? undefined : { files, elsewhere, cookieName, describe, meter: deps.telemetry.meter },
    ready,
    ...(alive ? { alive } : {}),
    logger,
  });
  const { forwards, forwardStream, stop: closeUpstreams } = connect(deps, headers, site);

  const refusals = createRefusalLog(logger, clock);
  const limits = createRateLimits(deps.limiters, {
    api: settings.RATE_LIMIT_PER_ADDRESS_PER_MINUTE,
    web: settings.RATE_LIMIT_PAGES_PER_ADDRESS_PER_MINUTE,
    user: settings.RATE_LIMIT_PER_USER_PER_MINUTE,
  });

  const api = new Api({
    table: createRouteTable(deps.only ?? routes),
    sessions,
    streams,
    openings: createStreamOpenings(clock, settings.STREAM_OPENINGS_PER_SECOND),
    ownHeaders: headers,
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
    forwardStream,
    traceparent: deps.telemetry.tracing.traceparent,
    cookieName,
  });
  const log = createAccessLog(logger, deps.telemetry, refusals);

  return {
    handler: handleRequests({ api, site, limits, log, proxyHops: settings.TRUST_PROXY_HOPS }),
    /** Closes the connections to services in other processes. */
    stop: async () => {
      refusals.stop();
      streams.stop();
      await closeUpstreams();
    },
  };
}

interface RequestPath {
  api: Api;
  site: Site;
  limits: RateLimits;
  log: ReturnType<typeof createAccessLog>;
  proxyHops: number;
}

/** Every request gets an id; every request but a probe counts for its address. */
function handleRequests({ api, site, limits, log, proxyHops }: RequestPath): RequestListener {
  /** API routes come first and without Express: each layer before them would cost every call. */
  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    address: string,
  ): Promise<void> {
    const next = (error?: unknown) => site(req, res, error);
    try {
      await limits.forAddress(address, areaOf(path));
      refuseChunked(req, res);
      if (!isApiPath(path) || !(await api.handle(req, res, path, next))) next();
    } catch (error) {
      next(error);
    }
  }

  return (req, res) => {
    const requestId = randomUUID();
    req.headers[REQUEST_ID_HEADER] = requestId;
    const path = pathOf(req);
    if (isProbe(req.method, path)) return answerProbe(site, req, res);
    const address = clientAddress(req, proxyHops);
    req.headers[ADDRESS_HEADER] = address;
    log(req, res, requestId, () => void answer(req, res, path, address));
  };
}

function answerProbe(site: Site, req: IncomingMessage, res: ServerResponse): void {
  try {
    refuseChunked(req, res);
    site(req, res);
  } catch (error) {
    site(req, res, error);
  }
}

function isProbe(method: string | undefined, path: string): boolean {
  return PROBES.has(path) && (method === 'GET' || method === 'HEAD');
}

/** Hands requests to a service in this process; those that it does not answer go to the site. */
function createLocalUpstream({ router }: LocalUpstream, ownHeaders: SecurityHeaders, site: Site): Forward {
  const app = bareExpress();
  app.use(router);
  app.use((req, res) => site(req, res));
  const onError: ErrorRequestHandler = (error, req, res, _next) => site(req, res, error);
  app.use(onError);
  return (req, res, next, contract) => {
    const requestId = String(req.headers[REQUEST_ID_HEADER]);
    const direct = req.method === 'GET' ? router.directAnswer(contract) : undefined;
    if (direct) return direct(req, res, ownHeaders.forData(requestId), next);
    ownHeaders.set(res, requestId, 'data');
    app(req, res);
  };
}

function connect(
  { upstreams, streamsUrl, settings, logger, telemetry }: GatewayDeps,
  ownHeaders: SecurityHeaders,
  site: Site,
) {
  const count = clientCalls(telemetry.meter);
  const forwards = new Map<ServiceName, Forward>();
  const stops: (() => Promise<void>)[] = [];
  const connectTo = (service: ServiceName | 'streams', url: string): Forward => {
    const remote = createRemoteUpstream({
      service,
      url,
      timeoutMs: settings.UPSTREAM_TIMEOUT_SECONDS * 1000,
      count,
      tracing: telemetry.tracing,
      logger,
      ownHeaders,
    });
    stops.push(remote.stop);
    return remote.forward;
  };
  for (const [service, upstream] of upstreams) {
    const isLocal = upstream.kind === 'local';
    forwards.set(
      service,
      isLocal ? createLocalUpstream(upstream, ownHeaders, site) : connectTo(service, upstream.url),
    );
  }
  return {
    forwards,
    forwardStream: streamsUrl === undefined ? undefined : connectTo('streams', streamsUrl),
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
