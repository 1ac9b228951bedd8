import { AppError } from '@casewatch/platform/errors/app-error';
import * as argon2 from '@node-rs/argon2';
import type { Counted } from './counted-check.ts';

export interface PasswordHasher {
  /** @throws AppError UNAVAILABLE when too many hashes are waiting already. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the hash's; without a hash the answer is no, at the same cost.
   * `counted` wraps the computation once its turn has come.
   * @throws AppError UNAVAILABLE when too many hashes are waiting already.
   */
  verify(passwordHash: string | undefined, password: string, counted?: Counted): Promise<boolean>;
}

/** argon2id (the package's default) as in OWASP's Password Storage Cheat Sheet; memory in KiB. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RETRY_AFTER_SECONDS = 2;

/**
 * Hashes at most `atOnce` passwords at a time and lets at most `waiting` more queue up. `algorithm` is there to be
 * watched by tests.
 */
export async function createPasswordHasher(
  limits: { atOnce: number; waiting: number },
  { hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2,
): Promise<PasswordHasher> {
  const inTurn = createQueue(limits);
  /** Nobody's password: what unknown accounts are checked against. */
  const decoy = await hash(crypto.randomUUID(), PARAMETERS);
  return {
    hash: (password) => inTurn(() => hash(canonical(password), PARAMETERS)),
    verify: (passwordHash, password, counted = (check) => check()) =>
      inTurn(() =>
        counted(async () => {
          const matches = await verify(passwordHash ?? decoy, canonical(password));
          return matches && passwordHash !== undefined;
        }),
      ),
  };
}

/** The same characters typed on different systems give the same bytes (NIST SP 800-63B, 5.1.1.2). */
function canonical(password: string): string {
  return password.normalize('NFKC');
}

function createQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw overloaded();
    try {
      return await work();
    } finally {
      // A waiter takes over the place; nobody can slip in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function overloaded(): AppError {
  return new AppError('UNAVAILABLE', 'Many people are signing in right now. Please try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
