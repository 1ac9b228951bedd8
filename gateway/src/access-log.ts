import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADDRESS_HEADER, FAULT_HEADER } from '@casewatch/service-kit/http/internal-headers';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { serverRequestAttributes, serverRequestSeconds } from '@casewatch/service-kit/telemetry/http-metrics';
import { CLIENT_CLOSED, whenStreamOpens } from '@casewatch/service-kit/telemetry/request-observer';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { ROOT } from '@casewatch/service-kit/telemetry/tracing';
import type { RefusalLog } from './refusal-log.ts';
import { areaOf, pathOf } from './request-path.ts';

/** In place of a route's pattern. Paths can contain receipt numbers, so none is ever logged. */
export const ROUTE_PAGE = '(page)';
export const ROUTE_FILE = '(file)';
const ROUTE_UNKNOWN = '(unknown)';
const TOO_MANY_REQUESTS = 429;
/** The objective (docs/slo.md). */
const SLOW_MS = 1_000;

declare module 'node:http' {
  interface ServerResponse {
    /** The route pattern that log, metrics and trace name. */
    casewatchRoute?: string;
  }
}

/** Sets the route pattern that log, metrics and trace name. */
export function setRoute(res: ServerResponse, route: string): void {
  res.casewatchRoute = route;
}

/** Calls `work` within the trace of the request, where there is one. */
export type AccessLog = (
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  work: () => void,
) => void;

/**
 * Records each request when it is over: one line (method, route pattern, status, milliseconds, request id), one
 * measurement, one span. What failed or was slow is measured with whose fault it is, where that is not ours. Requests without a route and those that a rate limit refused are measured, and logged as a count.
 * A trace begins here: none is continued from a client.
 */
export function createAccessLog(
  logger: Logger,
  { meter, tracing }: Telemetry,
  refusals: RefusalLog,
): AccessLog {
  const seconds = serverRequestSeconds(meter);
  const logs = logger.isLevelEnabled('info');
  const kinds = new Map<string, ReturnType<typeof makeKind>>();

  function makeKind(method: string, route: string, status: number, fault: string | undefined) {
    return {
      attributes: serverRequestAttributes('gateway', method, route, status, fault),
      // Nothing in these lines needs redacting, and looking for it takes half of the time to write one.
      log: logs ? logger.child({ method, route, status }, { redact: { paths: [] } }) : undefined,
    };
  }

  function kindOf(method: string, route: string, status: number, fault?: string) {
    const key = `${status} ${method} ${route} ${fault}`;
    const known = kinds.get(key);
    if (known) return known;
    const made = makeKind(method, route, status, fault);
    kinds.set(key, made);
    return made;
  }

  return (req, res, requestId, work) => {
    // Durations are measured with the monotonic clock; the date of the line is the logger's.
    const { method = '' } = req;
    const startedAt = performance.now();
    const span = tracing.on ? tracing.open({ name: method, kind: 'server', parent: ROOT }) : undefined;
    res.on('close', () => {
      const status = res.writableFinished ? res.statusCode : CLIENT_CLOSED;
      const route = res.casewatchRoute ?? ROUTE_UNKNOWN;
      const tookMs = performance.now() - startedAt;
      const isBad = status >= 500 || tookMs > SLOW_MS;
      const fault = isBad ? res.getHeader(FAULT_HEADER) : undefined;
      const { attributes, log } = kindOf(method, route, status, fault?.toString());
      seconds.record(tookMs / 1e3, attributes);
      endSpan(route, status);
      if (route === ROUTE_UNKNOWN || status === TOO_MANY_REQUESTS) {
        refusals.note({ status, area: areaOf(pathOf(req)), address: String(req.headers[ADDRESS_HEADER]) });
      } else {
        log?.info({ ms: Math.round(tookMs * 10) / 10, requestId, ...span?.ids }, 'request');
      }
    });
    const endSpan = (route: string, status: number) =>
      span?.end({
        name: `gateway ${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': status },
        failed: status >= 500,
      });
    if (!span) return work();
    whenStreamOpens(res, () => endSpan(res.casewatchRoute ?? ROUTE_UNKNOWN, res.statusCode));
    span.run(work);
  };
}
