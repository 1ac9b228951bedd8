import {
  type AnswerOf,
  ERROR_STATUS,
  type ErrorCode,
  type RouteContract,
} from '@casewatch/contracts/route-contract';
import type { CallOptions } from '../src/api/call-api.ts';

/** A call that has reached the API. It is answered at most once; nothing answers a call that was aborted. */
export interface Call<R extends RouteContract> {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: CallOptions<R> extends { body: infer Body } ? Body : undefined;
  /** Whether the app has given it up. */
  readonly aborted: boolean;
  answer(body: AnswerOf<R>): void;
  refuse(code: ErrorCode, error?: string): void;
  /** Any answer at all, also one that no contract describes. */
  respond(status: number, body: unknown): void;
  /** A stream, which the test may keep writing; it breaks off when the call is aborted. */
  stream(body: ReadableStream<Uint8Array> | string, headers?: Record<string, string>): void;
  /** As without a network. */
  lose(): void;
}

export type FakeApi = ReturnType<typeof createFakeApi>;

/** A double of the product's API behind `fetch`: what it answers, and when, is the test's to say. */
export function createFakeApi() {
  const routes = new Map<string, Route>();
  const calls: { route: string; call: Call<RouteContract> }[] = [];
  const unexpected: string[] = [];
  let clock: (() => Date) | undefined;
  const headersNow = (): Record<string, string> => (clock ? { date: clock().toUTCString() } : {});

  const handle = <R extends RouteContract>(endpoint: R, onCall: (call: Call<R>) => void) => {
    routes.set(nameOf(endpoint), { ...endpoint, pattern: patternOf(endpoint.path), onCall });
  };

  const fetch: typeof window.fetch = (input, init = {}) => {
    const { pathname, searchParams } = new URL(String(input), location.href);
    const method = init.method ?? 'GET';
    const route = [...routes.values()].find((one) => one.method === method && one.pattern.test(pathname));
    if (!route) {
      unexpected.push(`${method} ${pathname}`);
      return Promise.reject(new TypeError(`no answer was given for ${method} ${pathname}`));
    }
    return new Promise<Response>((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
      const respond = (status: number, body: unknown) =>
        resolve(
          body === undefined
            ? new Response(null, { status: 204, headers: headersNow() })
            : Response.json(body, { status, headers: headersNow() }),
        );
      const call: Call<RouteContract> = {
        params: route.pattern.exec(pathname)?.groups ?? {},
        query: Object.fromEntries(searchParams),
        body: init.body ? JSON.parse(String(init.body)) : undefined,
        get aborted() {
          return signal?.aborted ?? false;
        },
        respond,
        answer: (body) => respond(200, body),
        stream: (body, headers = {}) => resolve(new Response(until(signal, body), { headers })),
        refuse: (code, error = code) => respond(ERROR_STATUS[code], { error, code, requestId: 'test' }),
        lose: () => reject(new TypeError('Failed to fetch')),
      };
      calls.push({ route: nameOf(route), call });
      route.onCall(call);
    });
  };

  return {
    fetch,
    /** Sends the time of a server's clock with every answer; without it none. */
    hasClock: (now: () => Date) => {
      clock = now;
    },
    /** Calls that no test expected. */
    unexpected,
    /** Gives every call from now on to the test. */
    handles: handle,
    /** Answers every call from now on, at once. */
    answers: <R extends RouteContract>(endpoint: R, body: AnswerOf<R>) =>
      handle(endpoint, (call) => call.answer(body)),
    /** Answers every call from now on by what it asks. */
    serves: <R extends RouteContract>(endpoint: R, answerOf: (call: Call<R>) => AnswerOf<R>) =>
      handle(endpoint, (call) => call.answer(answerOf(call))),
    streams: <R extends RouteContract>(endpoint: R, text: string, headers?: Record<string, string>) =>
      handle(endpoint, (call) => call.stream(text, headers)),
    refuses: <R extends RouteContract>(endpoint: R, code: ErrorCode, error?: string) =>
      handle(endpoint, (call) => call.refuse(code, error)),
    responds: <R extends RouteContract>(endpoint: R, status: number, body: unknown) =>
      handle(endpoint, (call) => call.respond(status, body)),
    loses: <R extends RouteContract>(endpoint: R) => handle(endpoint, (call) => call.lose()),
    /** Keeps every call from now on waiting; returns them as they arrive, for the test to answer in any order. */
    holds: <R extends RouteContract>(endpoint: R): Call<R>[] => {
      const held: Call<R>[] = [];
      handle(endpoint, (call) => held.push(call));
      return held;
    },
    /** Every call so far, in order; the list grows. */
    count: (endpoint: Pick<RouteContract, 'method' | 'path'>) =>
      calls.filter(({ route }) => route === nameOf(endpoint)).length,
  };
}

/** The body as fetch gives it: reading it fails once the call is aborted. */
function until(signal: AbortSignal | null | undefined, body: ReadableStream<Uint8Array> | string) {
  if (typeof body === 'string') return body;
  return body.pipeThrough(new TransformStream(), signal ? { signal } : {});
}

interface Route {
  method: string;
  path: string;
  pattern: RegExp;
  onCall(call: Call<RouteContract>): void;
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
