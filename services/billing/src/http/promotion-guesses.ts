import type { ServiceDeps } from '@casewatch/service-definition/define-service';
import { AppError } from '@casewatch/service-kit/errors/app-error';

/** A person mistypes a code a few times; more is guessing. */
const WRONG_CODES = 10;
const PER_SECONDS = 3_600;

/** Runs what a user's promotion code is tried with. @throws AppError RATE_LIMITED after too many wrong ones */
export type PromotionGuesses = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

/** Limits the wrong promotion codes of each user, also of those that are sent at once. */
export function createPromotionGuesses(limiters: ServiceDeps['limiters']): PromotionGuesses {
  const limiter = limiters({ name: 'promotion-codes', points: WRONG_CODES, perSeconds: PER_SECONDS });
  return async (userId, work) => {
    const seconds = await limiter.take(userId);
    if (seconds !== undefined) {
      throw new AppError('RATE_LIMITED', 'too-many-promotion-codes', {
        values: { seconds },
        retryAfterSeconds: seconds,
      });
    }
    let isWrong = false;
    try {
      return await work();
    } catch (error) {
      isWrong = error instanceof AppError && error.code === 'PROMOTION_REFUSED';
      throw error;
    } finally {
      if (!isWrong) await limiter.giveBack(userId);
    }
  };
}
