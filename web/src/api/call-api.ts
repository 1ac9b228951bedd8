import type { AnswerOf, Method, RouteContract, Sent } from '@casewatch/contracts/route-contract';
import { noteServerTime } from '../lib/server-clock.ts';
import { ApiError } from './api-error.ts';

type Part<Name extends string, Schema extends RouteContract['body']> = [Schema] extends [undefined]
  ? unknown
  : { [name in Name]: Sent<Schema> };

/** The parts a contract asks for, and a signal to give the call up with. */
export type CallOptions<R extends RouteContract> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> & { signal?: AbortSignal };

interface AnyCallOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Calls a route with the session cookie and gives its answer (undefined for a 204).
 * The server's tests hold its answers to the contract, so they are not checked again here.
 * Throws ApiError for an answer that is not a success, and what `fetch` throws when there is no answer.
 */
export function callApi<R extends RouteContract>(
  endpoint: R,
  ...options: object extends CallOptions<R> ? [options?: CallOptions<R>] : [options: CallOptions<R>]
): Promise<AnswerOf<R>>;
export async function callApi(
  endpoint: { method: Method; path: string },
  options: AnyCallOptions = {},
): Promise<unknown> {
  const response = await send(endpoint, options);
  return response.status === 204 ? undefined : response.json();
}

/** Does the same for a route that answers with a stream: the answer once its head is there, to be read as it comes. */
export function openDownload<R extends RouteContract>(
  endpoint: R,
  options: CallOptions<R>,
): Promise<Response> {
  return send(endpoint, options);
}

async function send(
  { method, path }: { method: Method; path: string },
  { params, query, body, signal }: AnyCallOptions,
): Promise<Response> {
  const response = await fetch(addressOf(path, params, query), {
    method,
    credentials: 'include',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  noteServerTime(response.headers.get('date'));
  if (!response.ok) throw await refusalOf(response);
  return response;
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const inPath = textsOf(params);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return withQuery(filled, query);
}

/** Returns an address with its query, if it has one. */
export function withQuery(path: string, query: unknown): string {
  // The size of a `URLSearchParams` is newer than the oldest browsers.
  const search = String(new URLSearchParams(textsOf(query)));
  return search === '' ? path : `${path}?${search}`;
}

function textsOf(part: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(part ?? {}).map(([name, value]) => [name, String(value)]));
}

async function refusalOf(response: Response): Promise<ApiError> {
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new ApiError({
    status: response.status,
    text: await response.text(),
    statusText: response.statusText,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}
