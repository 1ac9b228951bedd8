import type { Logger } from '@casewatch/platform/runtime/logger';
import type { Request, Response } from 'express';

/** Stand for the route where there is no pattern: paths can hold receipt numbers, so none is ever logged. */
export const ROUTE_PAGE = '(page)';
export const ROUTE_FILE = '(file)';
const ROUTE_UNKNOWN = '(unknown)';

/** nginx's code for a client that went away before the answer. */
const CLIENT_CLOSED = 499;

/** Tells the access log which route's pattern the request matched. */
export function setRoute(res: Response, route: string): void {
  res.locals.route = route;
}

function routeOf(res: Response): string {
  const route: unknown = res.locals.route;
  return typeof route === 'string' ? route : ROUTE_UNKNOWN;
}

export type AccessLog = (req: Request, res: Response, requestId: string) => void;

/**
 * One line per request, when it is over: method, route pattern, status, milliseconds, request id. What repeats
 * is serialised once per route and status, in a logger of its own.
 */
export function createAccessLog(logger: Logger): AccessLog {
  if (!logger.isLevelEnabled('info')) return () => undefined;
  const loggers = new Map<string, Logger>();

  function loggerFor(method: string, route: string, status: number): Logger {
    const key = `${status} ${method} ${route}`;
    const known = loggers.get(key);
    if (known) return known;
    // Nothing that could need redacting is in these lines, and looking for it costs half of writing one.
    const made = logger.child({ method, route, status }, { redact: { paths: [] } });
    loggers.set(key, made);
    return made;
  }

  return (req, res, requestId) => {
    // Durations are measured with the monotonic clock; the date of the line is the logger's.
    const { method } = req;
    const startedAt = performance.now();
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : CLIENT_CLOSED;
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      loggerFor(method, routeOf(res), status).info({ ms, requestId }, 'request');
    });
  };
}
