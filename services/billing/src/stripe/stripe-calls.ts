import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type ClientOutcome, clientCalls } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import Stripe from 'stripe';
import { CustomerGone, ProviderRefusal } from '../domain/provider.ts';
import { paymentsUnavailable } from '../domain/unavailable.ts';
import { createBreaker } from './breaker.ts';

/** Runs requests to Stripe and says in our words how they fail. */
export interface StripeCalls {
  /** @throws AppError PAYMENTS_UNAVAILABLE */
  ask<T>(request: () => Promise<T>): Promise<T>;
  /** Undefined when Stripe does not know the object. @throws AppError PAYMENTS_UNAVAILABLE */
  find<T>(request: () => Promise<T>): Promise<T | undefined>;
  /**
   * For requests that make something under an idempotency key.
   * @throws ProviderRefusal when Stripe has answered and would answer the same again, CustomerGone, or AppError
   * PAYMENTS_UNAVAILABLE when it is not known whether it was made.
   */
  make<T>(request: () => Promise<T>): Promise<T>;
}

/** What a request with the same idempotency key must wait for: it says nothing about the request itself. */
const IN_PROGRESS = new Set([409, 429]);

export function createStripeCalls(options: {
  clock: Clock;
  logger: Logger;
  restMs: number;
  telemetry: Telemetry;
}): StripeCalls {
  const { clock, logger, restMs } = options;
  const { meter, tracing } = options.telemetry;
  const count = clientCalls(meter);
  const breaker = createBreaker(clock, restMs);

  async function run<T>(request: () => Promise<T>): Promise<T> {
    if (!breaker.admits()) throw paymentsUnavailable(new Error('Stripe is left alone for a moment'));
    try {
      const answer = await measured(request);
      breaker.succeeded();
      return answer;
    } catch (error) {
      if (isOutage(error)) breaker.failed();
      else breaker.succeeded();
      throw error;
    }
  }

  async function measured<T>(request: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const note = (outcome: ClientOutcome) => count('stripe', outcome, (performance.now() - startedMs) / 1e3);
    try {
      const answer = await tracing.inSpan({ name: 'call stripe', kind: 'client' }, request);
      note('ok');
      return answer;
    } catch (error) {
      note(isOutage(error) ? 'failed' : 'refused');
      throw error;
    }
  }

  function unavailable(error: unknown): Error {
    if (!(error instanceof Stripe.errors.StripeError))
      return error instanceof Error ? error : new Error(String(error));
    // Without the object: its raw answer may hold what nobody should read in a log.
    const { type, code, statusCode, requestId, message } = error;
    const level = isOutage(error) ? 'warn' : 'error';
    logger[level](
      { stripe: { type, code, statusCode, requestId, message } },
      'Stripe did not do what was asked',
    );
    return paymentsUnavailable(new Error(`Stripe: ${type} ${message}`));
  }

  return {
    async ask(request) {
      try {
        return await run(request);
      } catch (error) {
        throw unavailable(error);
      }
    },
    async find(request) {
      try {
        return await run(request);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw unavailable(error);
      }
    },
    async make(request) {
      try {
        return await run(request);
      } catch (error) {
        if (isMissing(error) && error.param === 'customer')
          throw new CustomerGone('no such customer', { cause: error });
        const told = unavailable(error);
        if (isAnswer(error)) throw new ProviderRefusal(told.message, { cause: told });
        throw told;
      }
    },
  };
}

function isMissing(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Away, slow or broken, rather than of another opinion. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError
  );
}

function isAnswer(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return error.statusCode !== undefined && !IN_PROGRESS.has(error.statusCode);
}
