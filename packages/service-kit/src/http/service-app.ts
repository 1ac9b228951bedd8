import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type Express, type Router } from 'express';
import type { Logger } from '../runtime/logger.ts';
import { createOutageLog } from '../runtime/outage-log.ts';
import type { RunningTelemetry } from '../telemetry/telemetry.ts';
import { createErrorMiddleware, notFound } from './error-middleware.ts';
import type { ServiceRouter } from './service-router.ts';

export interface ProbeOptions {
  /** Rejects with the reason while this process should get no traffic. */
  ready(): Promise<void>;
  /** False when only a new start can help. */
  alive?: () => boolean;
  /** Answers `/metrics`; only on a listener that is not reachable from outside. */
  handleMetrics?: RunningTelemetry['handleMetrics'] | undefined;
  logger: Logger;
}

/**
 * `/livez` says the process runs and makes progress; `/readyz` checks everything it hosts. Liveness never checks
 * dependencies. One readiness check runs at a time, and requests that come while it runs share its result: however many
 * there are, they cost the dependencies no more than one caller.
 */
export function createProbes({ ready, alive = () => true, handleMetrics, logger }: ProbeOptions): Router {
  const router = express.Router();
  router.get(['/livez', '/healthz'], (_req, res) => {
    res.set('Cache-Control', 'no-store');
    if (alive()) res.json({ status: 'ok' });
    else res.status(503).json({ status: 'stuck' });
  });
  const log = createOutageLog(logger, {
    outage: 'readiness: not ready, taking no traffic',
    recovery: 'readiness: ready, taking traffic',
    everyReason: true,
  });
  let checking: Promise<void> | undefined;
  router.get('/readyz', async (_req, res) => {
    res.set('Cache-Control', 'no-store');
    checking ??= ready().finally(() => {
      checking = undefined;
    });
    try {
      await checking;
      log.recovered();
      res.json({ status: 'ready' });
    } catch (error) {
      log.failed(error);
      res.status(503).json({ status: 'not ready' });
    }
  });
  if (handleMetrics) router.get('/metrics', (req, res) => handleMetrics(req, res));
  return router;
}

/**
 * Answers the requests to a process that hosts services without the gateway: users' plain reads and event streams without
 * Express, everything else and every error with it.
 */
export function createServiceApp(
  options: ProbeOptions & { routers: readonly (Router & Partial<Pick<ServiceRouter, 'directAnswerAt'>>)[] },
): RequestListener {
  const errors = new WeakMap<IncomingMessage, unknown>();
  const app = bareExpress();
  app.use((req, _res, next) => next(errors.get(req)));
  app.use(createProbes(options));
  for (const router of options.routers) app.use(router);
  app.use(notFound);
  app.use(createErrorMiddleware(options.logger));

  const directAnswerTo = ({ method, url = '' }: IncomingMessage) => {
    if (method !== 'GET') return undefined;
    const path = url.split('?', 1)[0] ?? '';
    for (const { directAnswerAt } of options.routers) {
      const answer = directAnswerAt?.(path);
      if (answer) return answer;
    }
    return undefined;
  };
  return (req, res) => {
    const answer = directAnswerTo(req);
    if (!answer) {
      app(req, res);
      return;
    }
    answer(req, res, [], (error) => {
      errors.set(req, error);
      app(req, res);
    });
  };
}

/** Express without what it adds on its own: no X-Powered-By, no ETag, strict routing, plain query strings. */
export function bareExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  return app;
}
