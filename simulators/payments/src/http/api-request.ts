import { customerRoutes } from '../api/customers.ts';
import { paymentRoutes } from '../api/payments.ts';
import { priceRoutes } from '../api/prices.ts';
import { promotionRoutes } from '../api/promotions.ts';
import { subscriptionRoutes } from '../api/subscriptions.ts';
import { runDueWork } from '../billing/due-work.ts';
import type { Fault } from '../control/faults.ts';
import { newId } from '../documents.ts';
import { API_VERSION } from '../event-log.ts';
import type { PaymentsState, StoredAnswer } from '../state.ts';
import { StripeError } from '../stripe-error.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { expand } from './expand.ts';
import { parseForm } from './params.ts';

/** The part of the API that is simulated. */
const ROUTES: readonly ApiRoute[] = [
  ...customerRoutes,
  ...priceRoutes,
  ...promotionRoutes,
  ...subscriptionRoutes,
  ...paymentRoutes,
];
const KEPT_SECONDS = 24 * 3_600;

export interface ApiRequest {
  method: string;
  /** Decoded, without the query. */
  path: string;
  /** The query of a GET or DELETE, the body of a POST. */
  form: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

type Outcome = Pick<StoredAnswer, 'status' | 'body'>;

/** Answers one call of the API; `hold` and `reset` are faults that leave the caller without an answer. */
export function answerApi(state: PaymentsState, request: ApiRequest): Answer | 'hold' | 'reset' {
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
  const fault = state.faults.take(request.method, request.path);
  if (fault?.mode === 'timeout') return 'hold';
  if (fault?.mode === 'reset') return 'reset';
  const { status, body, headers } = outcomeOf(state, request, { id, idempotencyKey, fault, logged });
  if (fault?.mode === 'lost-answer') return 'reset';
  logged.status = status;
  return {
    status,
    body,
    headers: {
      'Content-Type': 'application/json',
      'Request-Id': id,
      'Stripe-Version': version ?? API_VERSION,
      ...headers,
    },
  };
}

function outcomeOf(
  state: PaymentsState,
  request: ApiRequest,
  given: {
    id: string;
    idempotencyKey: string | undefined;
    fault: Fault | undefined;
    logged: { params: unknown };
  },
): Outcome & { headers?: Record<string, string> } {
  const { id, idempotencyKey } = given;
  try {
    if (given.fault) throwScripted(given.fault);
    const { expand: paths = [], ...params } = parseForm(request.form);
    given.logged.params = maskCards(params);
    const found = findRoute(request);
    const used = checkKey(state, header(request, 'authorization'), found?.route.access ?? 'secret');
    if (!found) throw unknownUrl(request);
    const call: ApiCall = { state, id: found.id, fromBrowser: used === 'publishable' };
    const run = (): Outcome => {
      runDueWork(state);
      const cause = { id, idempotency_key: idempotencyKey ?? null };
      const answer = state.events.causedBy(cause, found.route.prepare(call, params));
      const wanted = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
      return jsonAnswer(200, expand(state, answer, wanted));
    };
    return request.method === 'GET' || idempotencyKey === undefined
      ? run()
      : runOnce(state, request, idempotencyKey, run);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return errorOutcome(error);
  }
}

/** Runs the request once per key, for a day. A refused request leaves the key free; a declined card does not. */
function runOnce(state: PaymentsState, { method, path, form }: ApiRequest, key: string, run: () => Outcome) {
  const now = state.clock.nowSeconds();
  const { idempotency } = state.store;
  for (const [old, { atSeconds }] of idempotency)
    if (now - atSeconds >= KEPT_SECONDS) idempotency.delete(old);
  const request = `${method} ${path} ${form}`;
  const earlier = idempotency.get(key);
  if (earlier && earlier.request !== request) {
    throw new StripeError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used for the same endpoint and with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  if (earlier) return { ...earlier, headers: { 'Idempotent-Replayed': 'true' } };
  let outcome: Outcome;
  try {
    outcome = run();
  } catch (error) {
    if (!(error instanceof StripeError && error.status === 402)) throw error;
    outcome = errorOutcome(error);
  }
  idempotency.set(key, { request, atSeconds: now, status: outcome.status, body: outcome.body });
  return outcome;
}

function findRoute({ method, path }: ApiRequest): { route: ApiRoute; id: string } | undefined {
  for (const route of ROUTES) {
    const [before = '', after] = route.path.split(':id');
    if (route.method !== method) continue;
    if (after === undefined ? path === before : path.startsWith(before) && path.endsWith(after)) {
      const id = path.slice(before.length, path.length - (after?.length ?? 0));
      if (after === undefined || (id !== '' && !id.includes('/'))) return { route, id };
    }
  }
  return undefined;
}

/** Returns which key the request carries. @throws StripeError 401 for none, a wrong one, or one that is not enough */
function checkKey(
  { secretKeys, publishableKey }: PaymentsState,
  authorization: string | undefined,
  access: ApiRoute['access'],
): 'secret' | 'publishable' {
  const [scheme, key = ''] = (authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() !== 'bearer' || key === '') {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (secretKeys.includes(key)) return 'secret';
  if (key !== publishableKey) {
    throw unauthorized(
      `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(Math.max(0, key.length - 12))}${key.slice(12).slice(-4)}`,
    );
  }
  if (access === 'browser') return 'publishable';
  throw unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}

function unauthorized(message: string, code?: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) });
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

function errorOutcome({ status, body }: StripeError): Outcome {
  return jsonAnswer(status, { error: body });
}

function unknownUrl({ method, path }: ApiRequest): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The payments simulator has a part of the API only.`,
  });
}

const SECRET = new Set(['number', 'cvc']);

/** Returns a copy without card numbers and security codes, for the request log. */
function maskCards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskCards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET.has(name) ? '…' : maskCards(inner)]),
  );
}

function header({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
