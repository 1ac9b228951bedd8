import type { z } from 'zod';
import type { PaymentsState } from '../payments-state.ts';
import { parseParams } from './params.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** Who may call: the product's server only, or the browser as well, with the publishable key and a client secret. */
export type Access = 'secret' | 'browser';

export interface ApiCall {
  state: PaymentsState;
  /** The `:parts` of the path, in order. */
  ids: readonly string[];
  /** True for the publishable key. */
  fromBrowser: boolean;
}

export interface ApiRoute {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  /** Parses the parameters; `run` does the work. @throws StripeError for wrong parameters */
  prepare(call: ApiCall, params: unknown): () => unknown;
}

/** One endpoint. The handler is synchronous: a request is done whole or not at all, and none runs between. */
export function route<S extends z.ZodType>(
  method: Method,
  path: string,
  params: S,
  handle: (call: ApiCall, given: z.output<S>) => unknown,
  access: Access = 'secret',
): ApiRoute {
  return {
    method,
    path,
    access,
    prepare: (call, raw) => {
      const given = parseParams(params, raw);
      return () => handle(call, given);
    },
  };
}

/** The id in the path of a route that has one. */
export function idOf({ ids }: ApiCall): string {
  return ids[0] ?? '';
}
