import { Agent, errors, request } from 'undici';

export interface AgencyHttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** For the whole exchange, the last byte of the body included. */
  timeoutMs: number;
  /** Called when the head of the answer is here. */
  onHead?: () => void;
}

/** What came back: a whole answer, or why there is none. Never throws. */
export type AgencyHttpResult =
  | { kind: 'answer'; status: number; isHtml: boolean; body: string }
  | { kind: 'timeout' | 'unreachable'; detail: string };

export interface AgencyHttp {
  send(request: AgencyHttpRequest): Promise<AgencyHttpResult>;
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 30_000;
const LARGEST_ANSWER_BYTES = 1_000_000;

/**
 * HTTP to the agency over kept-alive connections. Redirects are not followed: none is documented. As many connections
 * as there are calls under way, which the budget bounds: a call that may be sent waits for none.
 */
export function createAgencyHttp(baseUrl: string, timeoutMs: number): AgencyHttp {
  const base = baseUrl.replace(/\/+$/, '');
  const agent = new Agent({
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  return {
    async send({ method, path, headers, body, timeoutMs, onHead }) {
      try {
        const response = await request(base + path, {
          method,
          dispatcher: agent,
          headers: { accept: 'application/json', ...headers },
          body: body ?? null,
          signal: AbortSignal.timeout(Math.max(1, Math.round(timeoutMs))),
        });
        onHead?.();
        const text = await response.body.text();
        const isHtml = /html/i.test(String(response.headers['content-type'])) || /^\s*</.test(text);
        return { kind: 'answer', status: response.statusCode, isHtml, body: text };
      } catch (error) {
        return { kind: isTimeout(error) ? 'timeout' : 'unreachable', detail: describe(error) };
      }
    },
    stop: () => agent.destroy(),
  };
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    (error instanceof Error && error.name === 'TimeoutError')
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}
