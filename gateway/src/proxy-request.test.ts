import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { proxyRequest } from './proxy-request.ts';
import { createSecurityHeaders } from './security-headers.ts';

class Response extends EventEmitter {
  req = { headers: {} };
  closed = false;
  headersSent = false;
  readonly sent: unknown[] = [];
  writeHead(status: number) {
    this.headersSent = true;
    this.sent.push(status);
  }
  write(piece: Buffer) {
    this.sent.push(String(piece));
    return true;
  }
  end(piece?: Buffer) {
    if (piece) this.sent.push(String(piece));
    this.sent.push('end');
  }
  destroy() {
    this.sent.push('destroyed');
  }
  leave() {
    this.closed = true;
    this.emit('close');
  }
}

class Controller {
  aborted = false;
  abort() {
    this.aborted = true;
  }
  pause() {}
  resume() {}
}

/** A request to a service whose side is played by the test, through the callbacks of undici. */
function proxy({ method = 'GET', disconnected = false } = {}) {
  const handlers: Dispatcher.DispatchHandler[] = [];
  const outcomes: string[] = [];
  const errors: unknown[] = [];
  const res = new Response();
  res.closed = disconnected;
  proxyRequest(
    {
      service: 'cases',
      url: 'http://cases.test',
      timeoutMs: 1_000,
      logger: pino({ level: 'silent' }),
      ownHeaders: createSecurityHeaders({ publicUrl: 'http://localhost:8080', pages: [] }),
      count: (_peer, outcome) => outcomes.push(outcome),
      tracing: noTracing,
    },
    {
      // Only the parts that are used of them.
      pool: {
        dispatch: (_options: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler),
      } as unknown as Dispatcher,
      req: { method, headers: {} } as IncomingMessage,
      res: res as unknown as ServerResponse,
      path: '/',
      body: null,
      next: (error) => errors.push(error),
    },
  );
  const controller = new Controller();
  // Only the parts that are used of it.
  const undici = controller as unknown as Dispatcher.DispatchController;
  return { handlers, outcomes, errors, res, controller, undici };
}

const broken = (code: string) => Object.assign(new Error('broken'), { code });

test('nothing is sent for a client that has left', () => {
  expect(proxy({ disconnected: true }).handlers).toEqual([]);
});

test('a client that leaves before the request has a connection, or while it is answered, cancels it', () => {
  const early = proxy();
  early.res.leave();
  early.handlers[0]?.onRequestStart?.(early.undici, undefined);
  expect(early.controller.aborted).toBe(true);

  const late = proxy();
  late.handlers[0]?.onRequestStart?.(late.undici, undefined);
  expect(late.controller.aborted).toBe(false);
  late.res.leave();
  expect(late.controller.aborted).toBe(true);
  late.handlers[0]?.onResponseStart?.(late.undici, 200, {});
  late.handlers[0]?.onResponseData?.(late.undici, Buffer.from('late'));
  late.handlers[0]?.onResponseEnd?.(late.undici, {});
  late.handlers[0]?.onResponseError?.(late.undici, broken('UND_ERR_ABORTED'));
  expect([late.res.sent, late.errors, late.outcomes]).toEqual([[], [], []]);
});

test('the page of a proxy is not read to its end', () => {
  const { handlers, controller, undici, res, errors } = proxy();
  handlers[0]?.onRequestStart?.(undici, undefined);
  handlers[0]?.onResponseStart?.(undici, 502, { 'content-type': 'text/html' });
  expect(controller.aborted).toBe(true);
  handlers[0]?.onResponseError?.(undici, broken('UND_ERR_ABORTED'));
  expect([res.sent, errors]).toMatchObject([[], [{ code: 'UNAVAILABLE' }]]);
});

test('a read on a closed connection is sent again once, not twice', () => {
  const { handlers, undici, errors, outcomes } = proxy();
  handlers[0]?.onResponseError?.(undici, broken('UND_ERR_SOCKET'));
  expect([handlers.length, errors]).toEqual([2, []]);
  handlers[1]?.onResponseError?.(undici, broken('UND_ERR_SOCKET'));
  expect([handlers.length, errors, outcomes]).toMatchObject([2, [{ code: 'UNAVAILABLE' }], ['failed']]);
});

test.each([
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['ECONNREFUSED', 'failed'],
])('a call that ends with %s is counted as %s', (code, outcome) => {
  const { handlers, undici, outcomes, errors } = proxy();
  handlers[0]?.onResponseError?.(undici, broken(code));
  expect([outcomes, errors]).toMatchObject([[outcome], [{ code: 'UNAVAILABLE' }]]);
});

test('the last piece of an answer with a length is its end', () => {
  const { handlers, undici, res, outcomes } = proxy();
  handlers[0]?.onResponseStart?.(undici, 200, { 'content-length': '4' });
  handlers[0]?.onResponseData?.(undici, Buffer.from('ab'));
  expect(res.sent).toEqual([200, 'ab']);
  handlers[0]?.onResponseData?.(undici, Buffer.from('cd'));
  expect(res.sent).toEqual([200, 'ab', 'cd', 'end']);
  expect(outcomes).toEqual(['ok']);
});
