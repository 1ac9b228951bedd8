import type { AnswerOf, RouteContract, Sent, ServiceName } from '@casewatch/contracts/route-contract';

export interface CallInput<R extends RouteContract> {
  params?: Sent<R['params']>;
  query?: Sent<R['query']>;
  body?: Sent<R['body']>;
  signal?: AbortSignal;
}

/**
 * Calls an internal route of another service, wherever it runs: in this process or over HTTP.
 * Throws AppError: the callee's own error, or UNAVAILABLE when it can't be reached in time.
 */
export interface ServiceClient {
  call<R extends RouteContract<never, never, never, never, 'internal'> | RouteContract>(
    contract: R,
    input: CallInput<R>,
  ): Promise<AnswerOf<R>>;
}

/** Where the services are: in this process, or at a base URL. */
export type ServiceLocation = { kind: 'local' } | { kind: 'remote'; url: string };
export type Discovery = (service: ServiceName) => ServiceLocation;
