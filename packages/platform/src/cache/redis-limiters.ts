import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { createAwayLog } from './away-log.ts';
import { type Limiter, type LimiterFactory, memoryLimiters } from './limiter.ts';
import type { RedisCommands } from './redis-connection.ts';
import { createRedisScript } from './redis-script.ts';

const RETRY_AFTER_SECONDS = 2;
const NONE = -1;

/** A window begins with its first point. ARGV: points, window in ms. Returns the ms to wait, or NONE. */
const TAKE = `
local taken = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if taken <= tonumber(ARGV[1]) then return ${NONE} end
return redis.call('PTTL', KEYS[1])`;

const PEEK = `
local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
if taken < tonumber(ARGV[1]) then return ${NONE} end
return redis.call('PTTL', KEYS[1])`;

const GIVE_BACK = `
if tonumber(redis.call('GET', KEYS[1]) or '0') < 1 then return 0 end
return redis.call('DECR', KEYS[1])`;

/** Limits that hold for every process together; while Redis is away, each rule's `whenAway` says what does. */
export function createRedisLimiters(options: {
  redis: RedisCommands;
  prefix: string;
  logger: Logger;
}): LimiterFactory {
  const { redis, prefix, logger } = options;
  const take = createRedisScript(redis, TAKE);
  const peek = createRedisScript(redis, PEEK);
  const giveBack = createRedisScript(redis, GIVE_BACK);

  return (rule) => {
    const { name, points, perSeconds, whenAway = 'refuse' } = rule;
    const keyOf = (key: string) => `${prefix}limit:${name}:${key}`;
    const alone = whenAway === 'count-alone' ? memoryLimiters(rule) : undefined;
    const away = createAwayLog(
      logger.child({ limit: name }),
      alone ? 'limits are counted by this process alone' : 'what is limited is refused: nobody can count it',
    );
    const orElse = async <T>(shared: Promise<T>, own: (limiter: Limiter) => Promise<T>): Promise<T> => {
      try {
        return await shared;
      } catch (error) {
        away(error);
        if (alone) return own(alone);
        throw new AppError('UNAVAILABLE', 'That can’t be done right now. Please try again shortly.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      }
    };
    return {
      take: (key) =>
        orElse(take([keyOf(key)], [points, perSeconds * 1_000]).then(secondsToWait), (own) => own.take(key)),
      peek: (key) => orElse(peek([keyOf(key)], [points]).then(secondsToWait), (own) => own.peek(key)),
      // A point that can't be given back stays taken until its window is over: no reason to fail what succeeded.
      giveBack: async (key) => {
        await giveBack([keyOf(key)], []).catch(away);
        await alone?.giveBack(key);
      },
      reset: async (key) => {
        await redis.del(keyOf(key)).catch(away);
        await alone?.reset(key);
      },
    };
  };
}

function secondsToWait([waitMs = NONE]: readonly number[]): number | undefined {
  return waitMs === NONE ? undefined : Math.max(1, Math.ceil(waitMs / 1_000));
}
