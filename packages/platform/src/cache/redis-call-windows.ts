import { randomUUID } from 'node:crypto';
import type { Logger } from '../runtime/logger.ts';
import { createAwayLog } from './away-log.ts';
import type { CallWindows } from './call-window.ts';
import type { RedisCommands } from './redis-connection.ts';
import { createRedisScript } from './redis-script.ts';

/**
 * Everything about one window is one sorted set, so that it is lost as a whole or not at all: each place with the time
 * at which it is free again, `pause` with the time at which that ends, and `alive`, whose absence tells of a loss.
 * Only the server's clock counts. Times have to be written with their decimals: Lua's own way has 14 digits.
 */
const PRELUDE = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function text(ms) return string.format('%.3f', ms) end
local function put(member, ms) redis.call('ZADD', key, text(ms), member) end
`;

/**
 * KEYS: window, mark of an unmet urgent wish. ARGV: calls, wanted, window, lease, id, urgent, longest wait with a mark.
 * After a loss nobody gets a place until all calls that may have been known before it have ended and left the window;
 * likewise when a place is taken for longer than possible, which means that the clock was set back.
 */
const TAKE = `${PRELUDE}
local calls, wanted, window, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local urgent, marked = ARGV[6] == '1', tonumber(ARGV[7])
local longest = window + lease
redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))
local pause = tonumber(redis.call('ZSCORE', key, 'pause') or '0')
local beyond = redis.call('ZCOUNT', key, '(' .. text(now + longest + 1), '(+inf')
if pause > now + longest + 1 then beyond = beyond - 1 end
if beyond > 0 or not redis.call('ZSCORE', key, 'alive') then
  redis.call('DEL', key)
  redis.call('ZADD', key, '+inf', 'alive')
  pause = math.max(beyond > 0 and 0 or pause, now + longest)
  put('pause', pause)
end
local taken = redis.call('ZCARD', key) - 1
if pause > now then return {0, math.ceil(pause - now)} end
local free = math.max(0, calls - taken)
if not urgent and free > 0 and redis.call('EXISTS', KEYS[2]) == 1 then return {0, marked} end
local granted = math.min(wanted, free)
for place = 1, granted do put(ARGV[5] .. ':' .. place, now + longest) end
if granted == wanted then
  if urgent then redis.call('DEL', KEYS[2]) end
  return {granted, 0}
end
local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
local wait = math.max(1, math.ceil(math.min(window, tonumber(first[2]) - now)))
if urgent then redis.call('SET', KEYS[2], '1', 'PX', wait + marked) end
return {granted, wait}`;

/** ARGV: window, then places. */
const END = `${PRELUDE}
local free = now + tonumber(ARGV[1])
for index = 2, #ARGV do
  local score = redis.call('ZSCORE', key, ARGV[index])
  if score and tonumber(score) > free then put(ARGV[index], free) end
end
return #ARGV - 1`;

/** ARGV: ms. */
const PAUSE = `${PRELUDE}
local till = now + tonumber(ARGV[1])
if till > tonumber(redis.call('ZSCORE', key, 'pause') or '0') then put('pause', till) end
return 1`;

/** How long a scheduled call leaves a free place to a person who has been seen waiting. */
const MARKED_MS = 25;

/** Places counted by Redis. Its data may be lost at any time: never so that a window holds more calls than allowed. */
export function createRedisCallWindows(options: {
  redis: RedisCommands;
  prefix: string;
  logger: Logger;
}): CallWindows {
  const { redis, prefix } = options;
  const take = createRedisScript(redis, TAKE);
  const end = createRedisScript(redis, END);
  const pause = createRedisScript(redis, PAUSE);

  return ({ name, calls, windowMs, leaseMs }) => {
    // The braces keep both keys on one node of a cluster.
    const window = `${prefix}calls:{${name}}`;
    const away = createAwayLog(options.logger.child({ window: name }), 'a place lapses by itself');
    let ended: string[] = [];

    /** Those that end in the same turn of the loop are told together. */
    function flush(): void {
      const places = ended;
      ended = [];
      end([window], [windowMs, ...places]).catch(away);
    }

    return {
      async take(wanted, { urgent }) {
        const id = randomUUID();
        const [granted = 0, waitMs = 0] = await take(
          [window, `${window}:urgent`],
          [calls, wanted, windowMs, leaseMs, id, urgent ? 1 : 0, MARKED_MS],
        );
        return { places: Array.from({ length: granted }, (_, index) => `${id}:${index + 1}`), waitMs };
      },
      end(place) {
        if (ended.length === 0) setImmediate(flush);
        ended.push(place);
      },
      giveBack(place) {
        redis.zrem(window, place).catch(away);
      },
      pause(ms) {
        pause([window], [Math.ceil(ms)]).catch(away);
      },
    };
  };
}
