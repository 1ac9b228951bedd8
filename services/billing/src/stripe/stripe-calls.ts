import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type ClientOutcome, clientCalls } from '@casewatch/service-kit/telemetry/http-metrics';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import Stripe from 'stripe';
import { CardDeclined, CustomerNotFound, ProviderRefusal, paymentsUnavailable } from '../domain/provider.ts';

/** Sends requests to Stripe through a circuit breaker and translates their failures. */
export interface StripeCalls {
  /** @throws AppError PAYMENTS_UNAVAILABLE */
  ask<T>(request: () => Promise<T>): Promise<T>;
  /** Undefined when Stripe does not know the object. @throws AppError PAYMENTS_UNAVAILABLE */
  find<T>(request: () => Promise<T>): Promise<T | undefined>;
  /** For what a customer has. @throws CustomerNotFound when Stripe does not know the customer, or AppError PAYMENTS_UNAVAILABLE */
  askOfCustomer<T>(request: () => Promise<T>): Promise<T>;
  /**
   * For requests that create something under an idempotency key.
   * @throws ProviderRefusal when Stripe would give the same answer again, CardDeclined, CustomerNotFound, or AppError PAYMENTS_UNAVAILABLE
   * when it is unknown whether it was created
   */
  make<T>(request: () => Promise<T>): Promise<T>;
}

/** The most that Stripe gives at once; what is read in full is paged to the end. */
export const LIST_LIMIT = 100;
/** Required by Stripe's library. No customer comes near it. */
export const ALL = { limit: 10_000 };
const FAILURES_IN_A_ROW = 5;
/** Answers that say nothing about the request itself: it is in progress, or too many are. */
const IN_PROGRESS = new Set([409, 429]);

export function createStripeCalls(options: {
  logger: Logger;
  /** How long the breaker stays open; then one request tests whether Stripe is back. */
  restMs: number;
  telemetry: Telemetry;
}): StripeCalls {
  const { logger, restMs } = options;
  const { meter, tracing } = options.telemetry;
  const count = clientCalls(meter);
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: restMs,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });

  /** Counts an outage against the breaker; any answer, also a refusal, counts for Stripe. */
  async function run<T>(request: () => Promise<T>): Promise<T> {
    const outcome = await breaker.execute(() =>
      measured(request).then(
        (answer) => ({ answer }),
        (error: unknown) => {
          if (isOutage(error)) throw error;
          return { refusal: error };
        },
      ),
    );
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.answer;
  }

  async function measured<T>(request: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const record = (outcome: ClientOutcome) =>
      count('stripe', outcome, (performance.now() - startedMs) / 1e3);
    try {
      const answer = await tracing.inSpan({ name: 'call stripe', kind: 'client' }, request);
      record('ok');
      return answer;
    } catch (error) {
      record(isOutage(error) ? 'failed' : 'refused');
      throw error;
    }
  }

  function unavailable(error: unknown): Error {
    if (error instanceof BrokenCircuitError) return paymentsUnavailable(error);
    if (!(error instanceof Stripe.errors.StripeError))
      return error instanceof Error ? error : new Error(String(error));
    // Without the error object: its raw answer may hold personal data.
    const { type, code, statusCode, requestId, message } = error;
    const level = isOutage(error) ? 'warn' : 'error';
    logger[level]({ stripe: { type, code, statusCode, requestId, message } }, 'stripe: request failed');
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
    async askOfCustomer(request) {
      try {
        return await run(request);
      } catch (error) {
        throw customerNotFound(error) ?? unavailable(error);
      }
    },
    async make(request) {
      try {
        return await run(request);
      } catch (error) {
        const notFound = customerNotFound(error);
        if (notFound) throw notFound;
        if (error instanceof Stripe.errors.StripeCardError)
          throw new CardDeclined(error.code ?? 'card_declined');
        const failure = unavailable(error);
        const isOfRequest = error instanceof Stripe.errors.StripeInvalidRequestError;
        if (isAnswer(error)) throw new ProviderRefusal(failure.message, { cause: failure, isOfRequest });
        throw failure;
      }
    },
  };
}

function isMissing(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function customerNotFound(error: unknown): CustomerNotFound | undefined {
  if (!isMissing(error) || error.param !== 'customer') return undefined;
  return new CustomerNotFound('no such customer', { cause: error });
}

/** Whether Stripe is unavailable, slow or broken, rather than refusing. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError
  );
}

function isAnswer(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return error.statusCode !== undefined && !IN_PROGRESS.has(error.statusCode);
}
