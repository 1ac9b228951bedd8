import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import { createSurvey, listSurveys } from '@casewatch/contracts/admin-surveys';
import * as cases from '@casewatch/contracts/cases';
import * as identity from '@casewatch/contracts/identity';
import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import { gatewaySettings } from '@casewatch/gateway/config';
import { createGateway, type GatewayDeps, type Upstream } from '@casewatch/gateway/gateway';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { createAdminTokenIssuer, createAdminTokenVerifier } from '@casewatch/service-kit/http/admin-token';
import { listen } from '@casewatch/service-kit/http/http-server';
import { createTokenIssuer, createTokenVerifier } from '@casewatch/service-kit/http/identity-token';
import { type Caller, type Route, route } from '@casewatch/service-kit/http/route';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceRouter, type DirectAnswer } from '@casewatch/service-kit/http/service-router';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createMemoryInvalidation } from '@casewatch/shared-state/invalidation/invalidation';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { createManualClock } from '@casewatch/testing/manual-clock';
import express from 'express';
import { pino } from 'pino';
import { Agent, type Dispatcher, request } from 'undici';

export type Kind = Upstream['kind'];
export const KINDS: readonly Kind[] = ['local', 'remote'];

export interface Received {
  service: ServiceName;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

export interface HarnessOptions {
  kind?: Kind;
  env?: Record<string, string>;
  webRoot?: string;
  /** Replaces or removes upstreams. */
  upstreams?: (made: Map<ServiceName, Upstream>) => void;
  overrides?: Partial<GatewayDeps>;
}

export type SendOptions = Omit<Dispatcher.RequestOptions, 'path' | 'method' | 'origin'> & {
  /** A session id to send in the cookie. */
  sid?: string;
  headers?: Record<string, string>;
};

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => Record<string, unknown>;
}

/** What a browser sends along from the product's own pages. */
export const sameOrigin: Record<string, string> = { 'sec-fetch-site': 'same-origin' };

/** A gateway with real identity and cases routers behind it, in its process or in servers of their own. */
export async function startGateway(options: HarnessOptions = {}) {
  const clock = createManualClock();
  const logs: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => logs.push(line) });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sessions = new Map<string, identity.ResolvedSession>();
  const adminSessions = new Map<string, ResolvedAdminSession>();
  const received: Received[] = [];
  const resolved: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const upstreams = new Map<ServiceName, Upstream>();

  const serve = async (service: ServiceName, routes: Route[]) => {
    const note = ({ method = '', url = '', headers }: IncomingMessage) =>
      received.push({ service, method, url, headers: { ...headers } });
    const router = express.Router();
    router.use((req, _res, next) => {
      note(req);
      next();
    });
    const served = createServiceRouter({
      routes,
      verifyToken: createTokenVerifier([keys.publicKey], service, clock),
      verifyAdminToken: createAdminTokenVerifier([keys.publicKey], service, clock),
      internalSecrets: ['test-internal'],
    });
    router.use(served);
    const directAnswer = (contract: RouteContract): DirectAnswer | undefined => {
      const answer = served.directAnswer(contract);
      return (
        answer &&
        ((req, ...rest) => {
          note(req);
          answer(req, ...rest);
        })
      );
    };
    if (options.kind !== 'remote') {
      upstreams.set(service, { kind: 'local', router: Object.assign(router, { directAnswer }) });
      return;
    }
    const app = createServiceApp({ routers: [router], ready: async () => undefined, logger });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    closers.push(() => server.drain());
    upstreams.set(service, { kind: 'remote', url: server.url });
  };
  await serve('identity', identityRoutes(sessions));
  await serve('cases', caseRoutes());
  await serve('surveys', [
    route(listSurveys, async () => ({ body: [] })),
    route(createSurvey, () => Promise.reject(new Error('no survey is created here'))),
  ]);
  options.upstreams?.(upstreams);

  const invalidation = options.overrides?.invalidation ?? createMemoryInvalidation();
  const gateway = createGateway({
    settings: readSettings(gatewaySettings, options.env ?? {}),
    logger,
    clock,
    limiters: memoryLimiters,
    invalidation,
    issueToken: createTokenIssuer(keys.privateKey, clock),
    issueAdminToken: createAdminTokenIssuer(keys.privateKey, clock),
    resolveSession: async (sid) => {
      resolved.push(sid);
      return sessions.get(sid) ?? null;
    },
    resolveAdminSession: async (sid) => {
      resolved.push(sid);
      return adminSessions.get(sid) ?? null;
    },
    upstreams,
    webRoot: options.webRoot,
    ready: async () => undefined,
    telemetry: noTelemetry,
    ...options.overrides,
  });
  const server = await listen(gateway.handler, { host: '127.0.0.1', port: 0 });
  const dispatcher = new Agent();

  return {
    url: server.url,
    port: server.port,
    clock,
    keys,
    logs,
    sessions,
    adminSessions,
    received,
    resolved,
    gateway,
    /** As a service does after a change that came through no gateway. */
    forgetSessionsOf: (userId: string) => invalidation.publish({ userId }),
    signIn(tier: 'free' | 'pro' = 'free', userId: string = randomUUID()) {
      const sid = randomUUID();
      const expiresAt = new Date(clock.nowMs() + 86_400_000).toISOString();
      sessions.set(sid, { userId, sessionId: sid, tier, name: 'Ana Díaz', expiresAt });
      return { sid, userId };
    },
    async send(
      method: string,
      path: string,
      { sid, headers = {}, ...rest }: SendOptions = {},
    ): Promise<Answer> {
      const answer = await request(server.url + path, {
        method: method as Dispatcher.HttpMethod,
        dispatcher,
        headers: { ...(sid ? { cookie: `theme=dark; sid=${sid}` } : {}), ...headers },
        ...rest,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) };
    },
    async stop() {
      await dispatcher.destroy();
      await server.drain();
      await gateway.stop();
      for (const close of closers) await close();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startGateway>>;

function identityRoutes(sessions: Map<string, identity.ResolvedSession>): Route[] {
  const endSessions = (userId: string, except?: string) => {
    for (const [sid, session] of sessions) {
      if (session.userId === userId && sid !== except) sessions.delete(sid);
    }
  };
  const accountOf = ({ userId, name, tier }: Caller) => ({
    id: userId,
    firstName: name,
    lastName: '',
    email: 'a@b.test',
    role: null,
    tier,
    emailVerified: true,
    language: null,
  });
  return [
    route(identity.getMe, async ({ caller }) => ({ body: accountOf(caller) })),
    route(identity.logOut, async ({ request: { cookies } }) => {
      if (cookies.sid) sessions.delete(cookies.sid);
      return { body: { ok: true as const } };
    }),
    route(identity.logOutEverywhere, async ({ caller }) => {
      endSessions(caller.userId);
      return { body: { ok: true as const } };
    }),
    route(identity.changePassword, async ({ caller, request: { cookies } }) => {
      endSessions(caller.userId, cookies.sid);
      return { body: accountOf(caller) };
    }),
    route(identity.deleteAccount, async ({ caller }) => {
      endSessions(caller.userId);
      return { body: { ok: true as const } };
    }),
    route(identity.logIn, async ({ request: { address } }) => ({
      body: {
        id: randomUUID(),
        firstName: address,
        lastName: '',
        email: 'a@b.test',
        role: null,
        tier: 'free' as const,
        emailVerified: true,
        language: null,
      },
      cookies: [
        { name: 'sid', value: 'new', maxAgeSeconds: 60, secure: false, path: '/', sameSite: 'Lax' },
        { name: 'hint', value: '1', maxAgeSeconds: 60, secure: false, path: '/', sameSite: 'Lax' },
      ],
    })),
  ];
}

function caseRoutes(): Route[] {
  return [
    route(cases.lookUpCases, async ({ body }) => ({
      body: body.receiptNumbers.map((receiptNumber) => ({ success: true, receiptNumber })),
    })),
    route(cases.lookUpCase, async ({ params }) => {
      if (params.receiptNumber.endsWith('404')) {
        throw new AppError('RECEIPT_NOT_RECOGNIZED', {
          en: 'The agency does not recognize this number.',
        });
      }
      if (params.receiptNumber.endsWith('500')) throw new Error('secret inside');
      throw new AppError('AGENCY_BUSY', { en: 'Busy.' }, { retryAfterSeconds: 7 });
    }),
    route(cases.listSavedCases, async ({ caller }) => ({
      body: [
        {
          id: caller.userId,
          userId: caller.userId,
          receiptNumber: 'EAC9999103403',
          nickname: caller.name,
          monitoringFrequency: 'none' as const,
          monitoringPausedAt: null,
          lastCheckedAt: null,
          lastKnownStatus: caller.tier,
          needsAction: false,
          createdAt: '2026-01-01T00:00:00.000Z',
          tags: [],
          archivedAt: null,
          snoozedUntil: null,
          formType: null,
          statusChangedAt: null,
        },
      ],
    })),
    route(cases.removeSavedCase, async () => ({ body: undefined })),
  ];
}
