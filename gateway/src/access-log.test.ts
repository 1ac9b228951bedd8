import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADDRESS_HEADER, FAULT_HEADER } from '@casewatch/service-kit/http/internal-headers';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import { noTracing, type SpanSpec, type Tracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createAccessLog, setRoute } from './access-log.ts';
import type { RefusalLog } from './refusal-log.ts';

class Response extends EventEmitter {
  statusCode = 200;
  writableFinished = true;
  casewatchRoute?: string;
  fault?: string;
  flushHeaders() {}
  getHeader(name: string) {
    return name === FAULT_HEADER ? this.fault : undefined;
  }
}

const IDS = { trace_id: 'a trace', span_id: 'a span' };

function start({ traced = true } = {}) {
  const lines: Record<string, unknown>[] = [];
  const measured: { seconds: number; attributes: unknown }[] = [];
  const spans: unknown[] = [];
  const refused: unknown[] = [];
  const within: boolean[] = [];
  let isWithin = false;
  const tracing: Tracing = {
    ...noTracing,
    on: traced,
    open: (spec: SpanSpec) => ({
      ids: IDS,
      traceparent: '',
      run: (work) => {
        isWithin = true;
        const made = work();
        isWithin = false;
        return made;
      },
      end: (result) => spans.push({ ...spec, ...result }),
    }),
  };
  const histogram = {
    record: (seconds: number, attributes: unknown) => measured.push({ seconds, attributes }),
  };
  const refusals: RefusalLog = { note: (refusal) => refused.push(refusal), stop: () => undefined };
  const log = createAccessLog(
    pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    // Only the parts that are used of it.
    { meter: { createHistogram: () => histogram } as unknown as Meter, tracing },
    refusals,
  );
  return {
    ...{ lines, measured, spans, refused, within },
    /** A request for which `route` was found, if any, until it is over. */
    pass(status: number, route?: string, { finished = true, url = '/api/x?y=1' } = {}) {
      const res = new Response();
      const req = { method: 'GET', url, headers: { [ADDRESS_HEADER]: '192.0.2.1' } };
      // Only the parts that are read of them.
      const answer = res as unknown as ServerResponse;
      log(req as unknown as IncomingMessage, answer, 'an-id', () => within.push(isWithin));
      if (route) setRoute(answer, route);
      Object.assign(res, { statusCode: status, writableFinished: finished });
      return res;
    },
  };
}

test('a request is one line, one measurement in seconds and one span, named by its route', () => {
  const { lines, measured, spans, refused, within, pass } = start();
  const startedAt = performance.now();
  pass(200, '/api/cases/:id').emit('close');
  const tookMs = performance.now() - startedAt;
  expect(within).toEqual([true]);
  expect(lines).toMatchObject([
    { level: 30, method: 'GET', route: '/api/cases/:id', status: 200, requestId: 'an-id', ...IDS },
  ]);
  expect(lines[0]?.ms).toBe(Math.round((measured[0]?.seconds ?? Number.NaN) * 10_000) / 10);
  expect(measured).toEqual([
    {
      seconds: expect.any(Number),
      attributes: {
        service: 'gateway',
        http_request_method: 'GET',
        http_route: '/api/cases/:id',
        http_response_status_code: '200',
      },
    },
  ]);
  expect(measured[0]?.seconds).toBeLessThanOrEqual(tookMs / 1_000);
  expect(spans).toEqual([
    {
      name: 'gateway GET /api/cases/:id',
      kind: 'server',
      parent: 'root',
      attributes: { 'http.route': '/api/cases/:id', 'http.response.status_code': 200 },
      failed: false,
    },
  ]);
  expect(refused).toEqual([]);
});

test.each([
  [499, false],
  [500, true],
])('a span of a request that was answered %i has failed: %s', (status, failed) => {
  const { spans, pass } = start();
  pass(status, '/api/cases').emit('close');
  expect(spans).toMatchObject([{ failed }]);
});

test('a client that left before the end is logged and measured as 499', () => {
  const { lines, measured, pass } = start({ traced: false });
  pass(200, '/api/cases', { finished: false }).emit('close');
  expect(lines).toMatchObject([{ status: 499 }]);
  expect(measured).toMatchObject([{ attributes: { http_response_status_code: '499' } }]);
  expect(lines[0]).not.toHaveProperty('trace_id');
});

test.each([
  [503, 10, 'agency'],
  [200, 1_001, 'agency'],
  [429, 4_000, 'quota'],
  [200, 1_000, undefined],
  [404, 10, undefined],
])(
  'an answer %i after %i ms has as its fault what is to blame for a failure or the wait: %s',
  (status, ms, fault) => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { measured, pass } = start({ traced: false });
    const res = pass(status, '/api/case-status/:receiptNumber');
    Object.assign(res, { fault: status === 429 ? 'quota' : 'agency' });
    now.mockReturnValue(ms);
    res.emit('close');
    now.mockRestore();
    expect(measured.map(({ attributes }) => attributes)).toEqual([
      {
        service: 'gateway',
        http_request_method: 'GET',
        http_route: '/api/case-status/:receiptNumber',
        http_response_status_code: String(status),
        ...(fault ? { fault } : {}),
      },
    ]);
  },
);

test('what no route answered, and what a limit refused, is measured and counted, and has no line', () => {
  const { lines, measured, refused, pass } = start();
  pass(404, undefined, { url: '/wp-login.php' }).emit('close');
  pass(429, '/api/cases').emit('close');
  expect(lines).toEqual([]);
  expect(measured).toMatchObject([
    { attributes: { http_route: '(unknown)', http_response_status_code: '404' } },
    { attributes: { http_route: '/api/cases', http_response_status_code: '429' } },
  ]);
  expect(refused).toEqual([
    { status: 404, area: 'web', address: '192.0.2.1' },
    { status: 429, area: 'api', address: '192.0.2.1' },
  ]);
});

test('the span of an event stream ends when the stream begins', () => {
  const { spans, lines, pass } = start();
  const res = pass(200, '/api/stream');
  res.flushHeaders();
  expect(spans).toMatchObject([{ name: 'gateway GET /api/stream', failed: false }]);
  expect(lines).toEqual([]);
});
