import { setTimeout as wait } from 'node:timers/promises';
import { findRoute } from '../api/api-routes.ts';
import { browserView } from '../api/browser-view.ts';
import { runDueWork } from '../billing/due-work.ts';
import type { Fault } from '../control/faults.ts';
import { API_VERSION } from '../event-log.ts';
import { newId } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';
import { StripeError, type StripeErrorBody } from '../stripe-error.ts';
import { checkKey } from './api-keys.ts';
import { expand } from './expand.ts';
import { type FormRecord, parseForm } from './form-body.ts';
import type { StoredAnswer } from './idempotency.ts';
import { maskCards } from './mask-cards.ts';
import type { Reply } from './reply.ts';

export interface ApiRequest {
  method: string;
  /** Decoded, without the query. */
  path: string;
  /** The query of a GET or DELETE, the body of a POST. */
  form: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers one call of the API, the scripted fault that it may meet included. */
export async function answerApi(
  state: PaymentsState,
  request: ApiRequest,
  stopping: AbortSignal,
): Promise<Reply> {
  const id = newId('req');
  const idempotencyKey = header(request, 'idempotency-key');
  const version = header(request, 'stripe-version');
  const logged = state.requests.add({
    id,
    method: request.method,
    path: request.path,
    params: null,
    idempotencyKey: idempotencyKey ?? null,
    apiVersion: version ?? null,
    status: 0,
  });
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Request-Id': id,
    'Stripe-Version': version ?? API_VERSION,
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  };
  const fault = state.faults.take(request.method, request.path);
  const cut = fault && cutOff(fault);
  if (cut) return cut;

  const done = (answer: StoredAnswer, more: Record<string, string> = {}): Reply => {
    if (fault?.mode === 'lost-answer') return 'reset';
    logged.status = answer.status;
    return { ...answer, headers: { ...headers, ...more } };
  };
  try {
    if (fault) throwScripted(fault);
    const form = parseForm(request.form);
    const { expand: paths = [], key, ...params } = form;
    logged.params = maskCards(params);
    const found = findRoute(request.method, request.path);
    const used = checkKey(
      state,
      header(request, 'authorization'),
      typeof key === 'string' ? key : undefined,
      found?.route.access ?? 'secret',
    );
    if (!found) throw unknownUrl(request);
    const { replayed, answer } = await execute(state, found, {
      request: { ...request, id },
      params,
      paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
      idempotencyKey: request.method === 'GET' ? undefined : idempotencyKey,
      fromBrowser: used === 'publishable',
      delay: async () => {
        if (fault?.mode === 'slow') await wait(fault.delayMs, undefined, { signal: stopping });
      },
    });
    return done(answer, replayed ? { 'Idempotent-Replayed': 'true' } : {});
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const retry = error.status === 409 ? { 'Stripe-Should-Retry': 'true' } : {};
    return done(errorAnswer(error.status, error.body, id), retry);
  }
}

interface Execution {
  request: ApiRequest & { id: string };
  params: FormRecord;
  paths: readonly string[];
  idempotencyKey: string | undefined;
  fromBrowser: boolean;
  /** Lasts as long as the request is under way before it is done. */
  delay(): Promise<void>;
}

/** Runs the handler once per idempotency key. What was refused before it began keeps no key. */
async function execute(
  state: PaymentsState,
  { route, ids }: NonNullable<ReturnType<typeof findRoute>>,
  { request, params, paths, idempotencyKey, fromBrowser, delay }: Execution,
): Promise<{ replayed: boolean; answer: StoredAnswer }> {
  const show = (answer: unknown) => (fromBrowser ? browserView(answer) : answer);
  const cause = { id: request.id, idempotency_key: idempotencyKey ?? null };
  const run = async (): Promise<StoredAnswer> => {
    await delay();
    runDueWork(state);
    const work = route.prepare({ state, ids, fromBrowser }, params);
    const answer = expand(state.store, state.events.causedBy(cause, work), paths);
    return { status: 200, body: toBody(show(answer)) };
  };
  if (idempotencyKey === undefined) return { replayed: false, answer: await run() };

  const identity = { path: `${request.method} ${request.path}`, params: request.form };
  const stored = state.idempotency.begin(idempotencyKey, identity, state.clock.nowSeconds());
  if (stored) return { replayed: true, answer: stored };
  let answer: StoredAnswer | undefined;
  try {
    answer = await run();
    return { replayed: false, answer };
  } catch (error) {
    // A declined card is the outcome of an executed request; anything else changed nothing.
    if (error instanceof StripeError && error.status === 402) {
      answer = errorAnswer(402, show(error.body) as StripeErrorBody, request.id);
      return { replayed: false, answer };
    }
    throw error;
  } finally {
    state.idempotency.finish(idempotencyKey, answer);
  }
}

function cutOff({ mode }: Fault): Reply | undefined {
  if (mode === 'timeout') return 'hold';
  return mode === 'reset' ? 'reset' : undefined;
}

function throwScripted({ mode }: Fault): void {
  const message = 'An unknown error occurred';
  if (mode === 'unavailable')
    throw new StripeError(503, { type: 'api_error', message: 'Service unavailable.' });
  if (mode === 'server-error') throw new StripeError(500, { type: 'api_error', message });
  if (mode === 'rate-limited') {
    throw new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many requests in too short a time. Please retry with exponential backoff.',
    });
  }
}

function errorAnswer(status: number, body: StripeErrorBody, requestId: string): StoredAnswer {
  const request_log_url = `https://dashboard.stripe.com/test/logs/${requestId}`;
  return { status, body: toBody({ error: { ...body, request_log_url } }) };
}

function toBody(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function unknownUrl({ method, path }: ApiRequest): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The payments simulator speaks a part of the API only.`,
  });
}

function header({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
