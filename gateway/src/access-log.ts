import type { Logger } from '@casewatch/platform/runtime/logger';
import { serverRequestAttributes, serverRequestSeconds } from '@casewatch/platform/telemetry/http-metrics';
import { CLIENT_CLOSED } from '@casewatch/platform/telemetry/request-observer';
import type { Telemetry } from '@casewatch/platform/telemetry/telemetry';
import { ROOT } from '@casewatch/platform/telemetry/tracing';
import type { NextFunction, Request, Response } from 'express';

/** Stand for the route where there is no pattern: paths can hold receipt numbers, so none is ever logged. */
export const ROUTE_PAGE = '(page)';
export const ROUTE_FILE = '(file)';
const ROUTE_UNKNOWN = '(unknown)';

/** Tells log, metrics and trace which route's pattern the request matched. */
export function setRoute(res: Response, route: string): void {
  res.locals.route = route;
}

function routeOf(res: Response): string {
  const route: unknown = res.locals.route;
  return typeof route === 'string' ? route : ROUTE_UNKNOWN;
}

/** Lets the request go on with `next`, as the beginning of a trace where there are any. */
export type RequestWatch = (req: Request, res: Response, requestId: string, next: NextFunction) => void;

/**
 * What is told of each request when it is over: one line (method, route pattern, status, milliseconds, request id), one
 * measurement, one span. What repeats is made once per route and status. No trace of a client's is gone on with.
 */
export function createRequestWatch(logger: Logger, { meter, tracing }: Telemetry): RequestWatch {
  const seconds = serverRequestSeconds(meter);
  const logs = logger.isLevelEnabled('info');
  const kinds = new Map<string, ReturnType<typeof makeKind>>();

  function makeKind(method: string, route: string, status: number) {
    return {
      attributes: serverRequestAttributes('gateway', method, route, status),
      // Nothing that could need redacting is in these lines, and looking for it costs half of writing one.
      log: logs ? logger.child({ method, route, status }, { redact: { paths: [] } }) : undefined,
    };
  }

  function kindOf(method: string, route: string, status: number) {
    const key = `${status} ${method} ${route}`;
    const known = kinds.get(key);
    if (known) return known;
    const made = makeKind(method, route, status);
    kinds.set(key, made);
    return made;
  }

  return (req, res, requestId, next) => {
    // Durations are measured with the monotonic clock; the date of the line is the logger's.
    const { method } = req;
    const startedAt = performance.now();
    const span = tracing.on ? tracing.open({ name: method, kind: 'server', parent: ROOT }) : undefined;
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : CLIENT_CLOSED;
      const route = routeOf(res);
      const tookMs = performance.now() - startedAt;
      const { attributes, log } = kindOf(method, route, status);
      seconds.record(tookMs / 1e3, attributes);
      span?.end({
        name: `gateway ${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': status },
        failed: status >= 500,
      });
      log?.info({ ms: Math.round(tookMs * 10) / 10, requestId, ...span?.ids }, 'request');
    });
    if (span) span.run(next);
    else next();
  };
}
