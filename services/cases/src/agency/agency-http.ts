import { isUtf8 } from 'node:buffer';
import { type ClientOutcome, clientCalls } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';

export interface AgencyHttpRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Its pattern, which says nothing of any case. */
  route: string;
  headers: Record<string, string>;
  body?: string;
  /** For the whole exchange, the last byte of the body included. */
  timeoutMs: number;
  /** Asked where the bytes leave: false ends the exchange unsent. */
  maySend?: () => boolean;
  /** Called when the head of the answer is here. */
  onHead?: (headers: AnswerHeaders) => void;
}

/** By names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What came back: a whole answer, or why there is none. */
export type AgencyHttpResult =
  | AgencyAnswer
  /** `unreadable`: it is larger than we read. `isUnconnected`: no connection came about. */
  | { kind: 'timeout' | 'unreachable' | 'unreadable'; detail: string; isUnconnected?: boolean };

export interface AgencyAnswer {
  kind: 'answer';
  status: number;
  isHtml: boolean;
  body: string;
  /** False: some bytes are not UTF-8, and `body` has replacement characters in their place. */
  isUtf8: boolean;
}

export interface AgencyHttp {
  /** @throws only CallUnsent, where `maySend` returned false */
  send(request: AgencyHttpRequest): Promise<AgencyHttpResult>;
  stop(): Promise<void>;
}

/** The call was not to be sent any more when its bytes would have left. */
export class CallUnsent extends Error {
  override readonly name = 'CallUnsent';
}

const CONNECT_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 30_000;
/** Real answers have a few kilobytes. This size is parsed within some milliseconds; what is converted is bounded where it is read. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;
const LARGEST_HEAD_BYTES = 16 * 1024;

/**
 * Creates HTTP to the agency over kept-alive connections. Redirects are not followed: none is documented. As many connections
 * as there are calls in flight, which the budget bounds: a call that may be sent waits for none. HTTPS_PROXY and NO_PROXY hold.
 */
export function createAgencyHttp(
  baseUrl: string,
  timeoutMs: number,
  { meter, tracing }: Telemetry,
): AgencyHttp {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const agent = new EnvHttpProxyAgent({
    // Not for a simulator without TLS, which is near.
    httpProxy: '',
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: LARGEST_ANSWER_BYTES,
    maxHeaderSize: LARGEST_HEAD_BYTES,
  });
  const count = clientCalls(meter);

  /** Without the streams and signals of `request`, a call costs half of the processor time. */
  function exchange({ method, path, headers, body, timeoutMs, maySend, onHead }: AgencyHttpRequest) {
    return new Promise<AgencyHttpResult>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let head = { status: 0, contentType: '' };
      let running: Dispatcher.DispatchController | undefined;
      let isTimedOut = false;
      const timer = setTimeout(
        () => {
          isTimedOut = true;
          resolve({ kind: 'timeout', detail: 'TimeoutError', isUnconnected: !running });
          running?.abort(new Error('timed out'));
        },
        Math.max(1, Math.round(timeoutMs)),
      );
      const { origin } = base;
      agent.dispatch(
        {
          origin,
          path: prefix + path,
          method,
          headers: { accept: 'application/json', ...headers },
          body: body ?? null,
        },
        {
          onRequestStart(controller) {
            running = controller;
            // It waited for a connection until then.
            if (isTimedOut) controller.abort(new Error('timed out'));
            else if (maySend?.() === false) controller.abort(new CallUnsent());
          },
          onResponseStart(_controller, status, headers) {
            if (status < 200) return;
            head = { status, contentType: String(headers['content-type']) };
            onHead?.(headers);
          },
          onResponseData(_controller, chunk) {
            chunks.push(chunk);
          },
          onResponseEnd() {
            clearTimeout(timer);
            resolve(answerOf(head, Buffer.concat(chunks)));
          },
          onResponseError(_controller, error) {
            clearTimeout(timer);
            if (error instanceof CallUnsent) reject(error);
            else resolve({ ...failureOf(error), isUnconnected: !running });
          },
        },
      );
    });
  }

  return {
    async send(wanted) {
      const startedMs = performance.now();
      const span = tracing.on
        ? tracing.open({ name: `call agency ${wanted.method} ${wanted.route}`, kind: 'client' })
        : undefined;
      const result = await exchange(wanted).catch((error: unknown) => {
        span?.end({ attributes: { 'peer.service': 'agency', outcome: 'unsent' }, failed: true });
        throw error;
      });
      const outcome = outcomeOf(result);
      count('agency', outcome, (performance.now() - startedMs) / 1e3);
      span?.end({ attributes: { 'peer.service': 'agency', outcome }, failed: outcome !== 'ok' });
      return result;
    },
    stop: () => agent.destroy(),
  };
}

function outcomeOf(result: AgencyHttpResult): ClientOutcome {
  if (result.kind !== 'answer') return result.kind === 'timeout' ? 'timeout' : 'failed';
  if (result.status >= 500) return 'failed';
  return result.status >= 400 ? 'refused' : 'ok';
}

function answerOf(
  { status, contentType }: { status: number; contentType: string },
  bytes: Buffer,
): AgencyAnswer {
  const body = new TextDecoder().decode(bytes);
  const isHtml = /html/i.test(contentType) || /^\s*</.test(body);
  return { kind: 'answer', status, isHtml, body, isUtf8: isUtf8(bytes) };
}

function failureOf(error: Error): Exclude<AgencyHttpResult, AgencyAnswer> {
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return { kind: 'unreadable', detail: `body larger than ${LARGEST_ANSWER_BYTES} bytes` };
  }
  if (error instanceof errors.HeadersOverflowError) {
    return { kind: 'unreadable', detail: `headers larger than ${LARGEST_HEAD_BYTES} bytes` };
  }
  const detail = 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
  return { kind: 'unreachable', detail };
}
