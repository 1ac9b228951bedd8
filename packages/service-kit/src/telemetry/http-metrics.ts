import type { Attributes, Histogram, Meter } from '@opentelemetry/api';

/** Has the second of the objectives as a bound. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function serverRequestSeconds(meter: Meter): Histogram {
  return meter.createHistogram('http_server_request_duration_seconds', {
    description:
      'Requests by route pattern and status, from the first byte to the last; a stream counts when it ends.',
    unit: 's',
    advice: { explicitBucketBoundaries: REQUEST_SECONDS },
  });
}

/** Made once per route, status and fault and kept: `route` is a pattern, never a path. */
export function serverRequestAttributes(
  service: string,
  method: string,
  route: string,
  status: number,
  fault?: string | undefined,
): Attributes {
  return {
    service,
    http_request_method: METHODS.has(method) ? method : '_OTHER',
    http_route: route,
    http_response_status_code: String(status),
    ...(fault ? { fault } : {}),
  };
}

/** Calls to others. `ok`: what came was an answer of theirs; `refused`: they answered no; `failed`; `timeout`. */
export type ClientOutcome = 'ok' | 'refused' | 'failed' | 'timeout';

export type ClientCalls = (peer: string, outcome: ClientOutcome, seconds: number) => void;

/** Measures how long dependencies took to answer, by dependency. */
export function clientCalls(meter: Meter): ClientCalls {
  const histogram = meter.createHistogram('http_client_request_duration_seconds', {
    description: 'Calls to other services and providers.',
    unit: 's',
    advice: { explicitBucketBoundaries: REQUEST_SECONDS },
  });
  const known = new Map<string, Attributes>();
  return (peer, outcome, seconds) => {
    const key = `${outcome} ${peer}`;
    const attributes = known.get(key) ?? { peer, outcome };
    known.set(key, attributes);
    histogram.record(seconds, attributes);
  };
}
