import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { RedisCommands } from '../redis/redis-connection.ts';
import { createRedisScript } from '../redis/redis-script.ts';
import { type Limiter, type LimiterFactory, memoryLimiters } from './limiter.ts';

const RETRY_AFTER_SECONDS = 2;
const NONE = -1;
const PENDING = -2;

/** Each key is a hash that lives as long as its window: points taken, and how many of them attempts in flight hold. */
const READ = `
local taken = tonumber(redis.call('HGET', KEYS[1], 'taken') or '0')
local open = tonumber(redis.call('HGET', KEYS[1], 'open') or '0')`;

/** A window begins with its first point. ARGV: points, window in ms. Returns the ms to wait, or NONE. */
const TAKE = `${READ}
if taken >= tonumber(ARGV[1]) then return redis.call('PTTL', KEYS[1]) end
redis.call('HINCRBY', KEYS[1], 'taken', 1)
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return ${NONE}`;

/** Likewise; PENDING when attempts in flight hold some of the points. */
const RESERVE = `${READ}
if taken >= tonumber(ARGV[1]) then
  if open > 0 then return ${PENDING} end
  return redis.call('PTTL', KEYS[1])
end
redis.call('HINCRBY', KEYS[1], 'taken', 1)
redis.call('HINCRBY', KEYS[1], 'open', 1)
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return ${NONE}`;

/** ARGV: how many points to give back, how many attempts in flight have ended. */
const SETTLE = `${READ}
if taken >= 1 then redis.call('HINCRBY', KEYS[1], 'taken', 0 - ARGV[1]) end
if open >= 1 then redis.call('HINCRBY', KEYS[1], 'open', 0 - ARGV[2]) end
return 0`;

const PEEK = `${READ}
if taken - open < tonumber(ARGV[1]) then return ${NONE} end
return redis.call('PTTL', KEYS[1])`;

const RESET = `${READ}
if open > 0 then redis.call('HSET', KEYS[1], 'taken', open) else redis.call('DEL', KEYS[1]) end
return 0`;

/** Creates limits shared by all processes; while Redis is unavailable, each rule's `whenUnavailable` applies. */
export function createRedisLimiters(options: {
  redis: RedisCommands;
  prefix: string;
  logger: Logger;
}): LimiterFactory {
  const { redis, prefix, logger } = options;
  const take = createRedisScript(redis, TAKE);
  const reserve = createRedisScript(redis, RESERVE);
  const settle = createRedisScript(redis, SETTLE);
  const peek = createRedisScript(redis, PEEK);
  const reset = createRedisScript(redis, RESET);

  return (rule) => {
    const { name, points, perSeconds, whenUnavailable = 'refuse' } = rule;
    const keyOf = (key: string) => `${prefix}limits:${name}:${key}`;
    const local = whenUnavailable === 'count-locally' ? memoryLimiters(rule) : undefined;
    const warn = createThrottledWarning(
      logger.child({ limit: name }),
      local
        ? 'rate limit: Redis unavailable, counting in this process'
        : 'rate limit: Redis unavailable, refusing requests',
    );
    const orElse = async <T>(shared: Promise<T>, own: (limiter: Limiter) => Promise<T>): Promise<T> => {
      try {
        return await shared;
      } catch (error) {
        warn(error);
        if (local) return own(local);
        throw new AppError('UNAVAILABLE', 'not-now', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      }
    };
    // A point that can't be given back stays taken until its window ends: no reason to fail a request that succeeded.
    const settled = async (key: string, points: number, attempts: number) => {
      await settle([keyOf(key)], [points, attempts]).catch(warn);
    };
    return {
      take: (key) =>
        orElse(take([keyOf(key)], [points, perSeconds * 1_000]).then(secondsToWait), (own) => own.take(key)),
      reserve: (key) =>
        orElse(
          reserve([keyOf(key)], [points, perSeconds * 1_000]).then((reply) =>
            reply[0] === PENDING ? 'pending' : secondsToWait(reply),
          ),
          (own) => own.reserve(key),
        ),
      peek: (key) => orElse(peek([keyOf(key)], [points]).then(secondsToWait), (own) => own.peek(key)),
      giveBack: async (key) => {
        await settled(key, 1, 0);
        await local?.giveBack(key);
      },
      confirm: async (key) => {
        await settled(key, 0, 1);
        await local?.confirm(key);
      },
      release: async (key) => {
        await settled(key, 1, 1);
        await local?.release(key);
      },
      reset: async (key) => {
        await reset([keyOf(key)], []).catch(warn);
        await local?.reset(key);
      },
    };
  };
}

function secondsToWait([waitMs = NONE]: readonly number[]): number | undefined {
  return waitMs === NONE ? undefined : Math.max(1, Math.ceil(waitMs / 1_000));
}
