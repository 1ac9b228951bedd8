import { AppError } from '@casewatch/service-kit/errors/app-error';
import * as argon2 from '@node-rs/argon2';
import type { Guess } from '../limits/counted-check.ts';
import { createFairQueue } from './fair-queue.ts';

export interface PasswordHasher {
  /**
   * `source`: the caller; sources that wait take turns.
   * @throws AppError UNAVAILABLE when too many hashes are waiting already.
   */
  hash(password: string, source?: string): Promise<string>;
  /**
   * Whether the password is the hash's; without a hash the answer is no, at the same cost.
   * A `guess` counts the computation once its turn has come.
   * @throws AppError UNAVAILABLE when too many hashes are waiting already.
   */
  verify(passwordHash: string | undefined, password: string, guess?: Guess): Promise<boolean>;
}

/** argon2id (the package's default) as in OWASP's Password Storage Cheat Sheet; memory in KiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RETRY_AFTER_SECONDS = 2;

/**
 * Hashes at most `atOnce` passwords at a time and lets at most `waiting` more queue up, in fair turns. `algorithm` is there to be
 * watched by tests.
 */
export async function createPasswordHasher(
  limits: { atOnce: number; waiting: number },
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): Promise<PasswordHasher> {
  const queue = createFairQueue({ ...limits, overloaded });
  /** A random password that unknown accounts are checked against. */
  const decoy = await hash(crypto.randomUUID(), PARAMETERS);
  return {
    hash: (password, source = '') => queue.run(source, () => hash(canonical(password), PARAMETERS)),
    verify: (passwordHash, password, guess) => {
      const check = async () => {
        const matches = await verify(passwordHash ?? decoy, canonical(password));
        return matches && passwordHash !== undefined;
      };
      return guess ? queue.run(guess.source, () => guess.count(check), guess.hadTurn) : queue.run('', check);
    },
  };
}

/** Normalizes a secret: the same characters typed on different systems give the same bytes (NIST SP 800-63B, 5.1.1.2). */
export function canonical(password: string): string {
  return password.normalize('NFKC');
}

function overloaded(): AppError {
  return new AppError('UNAVAILABLE', 'many-sign-ins', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
