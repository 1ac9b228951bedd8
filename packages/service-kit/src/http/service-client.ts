import { errorBody } from '@casewatch/contracts/error-body';
import type { AnswerOf, RouteContract, Sent, ServiceName } from '@casewatch/contracts/route-contract';
import { ERROR_STATUS } from '@casewatch/contracts/route-contract';
import type { Agent } from 'undici';
import { AppError } from '../errors/app-error.ts';
import { type ClientOutcome, clientCalls } from '../telemetry/http-metrics.ts';
import { noTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import { TRACEPARENT_HEADER } from '../telemetry/tracing.ts';
import { INTERNAL_HEADER } from './internal-headers.ts';
import type { RequestFacts, Route } from './route.ts';

export interface CallInput<R extends RouteContract> {
  body: Sent<R['body']>;
  signal?: AbortSignal;
}

/**
 * Calls an internal POST route of another service, wherever it runs: in this process or over HTTP.
 * Throws AppError: the callee's own error, or UNAVAILABLE when it can't be reached in time.
 */
export interface ServiceClient {
  call<R extends RouteContract>(contract: R, input: CallInput<R>): Promise<AnswerOf<R>>;
}

/** Where a service is: its routes in this process, or a base URL. */
export type ServiceLocation = { kind: 'local'; routes: readonly Route[] } | { kind: 'remote'; url: string };

export interface ServiceClientOptions {
  locate: (service: ServiceName) => ServiceLocation | undefined;
  /** A secret that processes of the product share. */
  internalSecret: string;
  timeoutMs?: number;
  telemetry?: Telemetry;
}

interface Connections {
  readonly agent: Agent;
  readonly request: typeof import('undici').request;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

export function createServiceClient(
  options: ServiceClientOptions,
): ServiceClient & { stop(): Promise<void> } {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { meter, tracing } = options.telemetry ?? noTelemetry;
  const count = clientCalls(meter);
  let connected: Promise<Connections> | undefined;
  return {
    async call(contract, { body, signal }) {
      const place = options.locate(contract.service);
      if (!place) throw unavailable(contract, new Error('no location is known'));
      const ask = () =>
        place.kind === 'local'
          ? callLocal(place.routes, contract, body, signal)
          : callRemote(place.url, contract, body, signal);
      const answer = tracing.on ? await tracing.inSpan(spanOf(contract), ask) : await ask();
      // Both ends share the contract; its schema is the answer's type.
      return contract.answer.parse(answer) as AnswerOf<typeof contract>;
    },
    stop: async () => {
      const connections = await connected;
      await connections?.agent.close();
    },
  };

  /** Most services call no other: the HTTP client is loaded by the first call. */
  function connect(): Promise<Connections> {
    connected ??= import('undici').then(({ Agent, request }) => ({
      agent: new Agent({ keepAliveTimeout: 30_000, connections: 64, connectTimeout: timeoutMs }),
      request,
    }));
    return connected;
  }

  async function callRemote(url: string, contract: RouteContract, body: unknown, signal?: AbortSignal) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const traceparent = tracing.traceparent();
    const startedMs = performance.now();
    const note = (outcome: ClientOutcome) =>
      count(contract.service, outcome, (performance.now() - startedMs) / 1e3);
    try {
      const { agent, request } = await connect();
      const response = await request(url + contract.path, {
        method: contract.method,
        dispatcher: agent,
        signal: AbortSignal.any([timeout, ...(signal ? [signal] : [])]),
        headers: {
          'content-type': 'application/json',
          [INTERNAL_HEADER]: options.internalSecret,
          ...(traceparent ? { [TRACEPARENT_HEADER]: traceparent } : {}),
        },
        body: JSON.stringify(body ?? {}),
      });
      const answer: unknown = await response.body.json();
      if (response.statusCode === contract.status) {
        note('ok');
        return answer;
      }
      throw calleeError(answer) ?? new Error(`${contract.id} answered ${response.statusCode}`);
    } catch (error) {
      if (error instanceof AppError) {
        note('refused');
        throw error;
      }
      note(timeout.aborted ? 'timeout' : 'failed');
      throw unavailable(contract, error);
    }
  }
}

const spanOf = (contract: RouteContract) => ({
  name: `call ${contract.service} ${contract.method} ${contract.path}`,
  kind: 'client' as const,
  attributes: { 'peer.service': contract.service, 'http.route': contract.path },
});

async function callLocal(
  routes: readonly Route[],
  contract: RouteContract,
  body: unknown,
  signal?: AbortSignal,
) {
  const route = routes.find((row) => row.contract === contract);
  if (!route) throw new Error(`${contract.service} does not serve ${contract.id}`);
  const request: RequestFacts = {
    requestId: '',
    address: '',
    cookies: {},
    signal: signal ?? new AbortController().signal,
  };
  const reply = await route.serve({ params: {}, query: {}, body, caller: undefined, request });
  if ('stream' in reply) throw new Error(`${contract.id} answers with a stream`);
  return reply.body;
}

function calleeError(answer: unknown): AppError | undefined {
  const parsed = errorBody.safeParse(answer);
  if (!parsed.success || ERROR_STATUS[parsed.data.code] >= 500) return undefined;
  const { code, error, messageKey, values } = parsed.data;
  return new AppError(code, { en: error, messageKey }, { values });
}

function unavailable(contract: RouteContract, cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(`${contract.service} could not be called`, { cause }),
  });
}
