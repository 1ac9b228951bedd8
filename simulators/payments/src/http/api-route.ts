import type { z } from 'zod';
import type { List } from '../documents.ts';
import type { PaymentsState } from '../state.ts';
import { resourceMissing } from '../stripe-error.ts';
import { parseParams } from './params.ts';

export interface ApiCall {
  state: PaymentsState;
  /** The id in the path; empty in a path without one. */
  id: string;
  /** True for the publishable key. */
  fromBrowser: boolean;
}

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/v1/customers/:id`. */
  readonly path: string;
  /** `browser`: also with the publishable key and a client secret. */
  readonly access: 'secret' | 'browser';
  /** Parses the parameters; the function that it returns does the work. @throws StripeError for wrong parameters */
  prepare(call: ApiCall, params: unknown): () => unknown;
}

/** Returns one endpoint. The handler is synchronous: requests do not overlap, and each is done completely or not at all. */
export function route<S extends z.ZodType>(
  method: ApiRoute['method'],
  path: string,
  params: S,
  handle: (call: ApiCall, given: z.output<S>) => unknown,
  access: ApiRoute['access'] = 'secret',
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

const DEFAULT_LIMIT = 10;

/** Returns a page of documents given oldest first, the newest first. @throws StripeError for a cursor that is none of them */
export function listPage<T extends { id: string }>(
  documents: T[],
  url: string,
  {
    limit = DEFAULT_LIMIT,
    starting_after,
  }: { limit?: number | undefined; starting_after?: string | undefined },
): List<T> {
  const newest = documents.toReversed();
  const place = newest.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && place === -1) {
    throw resourceMissing('object', starting_after, 'starting_after', 400);
  }
  const end = place + 1 + limit;
  return { object: 'list', data: newest.slice(place + 1, end), has_more: end < newest.length, url };
}
