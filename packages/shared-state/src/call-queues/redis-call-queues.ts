import { randomUUID } from 'node:crypto';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import type { RedisCommands } from '../redis/redis-connection.ts';
import { createRedisScript } from '../redis/redis-script.ts';
import { catchUpMs } from './call-pace.ts';
import { type CallDispatcher, type CallQueues, type CallRule, createCallQueue } from './call-queue.ts';
import type { Ticket } from './fair-queue.ts';
import { DISPATCH, DONE, PAUSE } from './redis-call-scripts.ts';

/** Every process with waiting tickets asks at least so often: for what another has granted it, and to show that it is alive. */
const ASK_EVERY_MS = 50;
/** A process that has not polled for so long counts as dead; its tickets are skipped. One that was only slow enters them again. */
const GONE_AFTER_MS = 1_500;
/** At a high rate, the ends of calls are sent so often: a place is free again by so much later. */
export const DONE_EVERY_MS = 5;
/** What the script returns first. */
const UNKNOWN_PROCESS = -1;

/** Order and permits kept by Redis. Its data may be lost at any time: never so that a window holds more calls than allowed. */
export function createRedisCallQueues(options: {
  redis: RedisCommands;
  prefix: string;
  clock: Clock;
  logger: Logger;
}): CallQueues {
  const { clock } = options;
  return (rule) => createCallQueue({ rule, dispatcher: redisDispatcher(options, rule), clock });
}

function redisDispatcher(
  { redis, prefix, clock, logger }: { redis: RedisCommands; prefix: string; clock: Clock; logger: Logger },
  rule: CallRule,
): CallDispatcher {
  const { name, calls, windowMs, leaseMs, scheduledShare } = rule;
  const catchUp = catchUpMs(rule);
  const dispatch = createRedisScript(redis, DISPATCH);
  const done = createRedisScript(redis, DONE);
  const pause = createRedisScript(redis, PAUSE);
  // The braces keep all keys on one node of a cluster.
  const window = `${prefix}calls:{${name}}`;
  const keys = [
    window,
    ...['tickets', 'members', 'ring', 'newcomers', 'state', 'processes', 'granted'].map(
      (part) => `${window}:${part}`,
    ),
  ];
  const me = randomUUID();
  const log = logger.child({ queue: name });
  const uncounted = createThrottledWarning(log, 'call queue: Redis unavailable, no call is made');
  const unsaid = createThrottledWarning(log, 'call queue: Redis unavailable, a permit lapses by itself');
  let ended: string[] = [];
  let isFlushing = false;

  function ask(isFirst: boolean, entered: readonly Ticket[], left: readonly number[]): Promise<number[]> {
    const args = [calls, windowMs, leaseMs, scheduledShare, me, isFirst ? 1 : 0, GONE_AFTER_MS, catchUp];
    const tickets = entered.flatMap(({ id, participant, weight }) => [id, participant, weight]);
    return dispatch(keys, [...args, entered.length, ...tickets, ...left]);
  }

  async function askWithAll(
    entered: readonly Ticket[],
    left: readonly number[],
    waiting: () => readonly Ticket[],
  ): Promise<number[]> {
    const reply = await ask(false, entered, left);
    return reply[0] === UNKNOWN_PROCESS ? ask(true, waiting(), []) : reply;
  }

  /** The first at once, since most calls end alone; those that end soon after it together. */
  async function flush(): Promise<void> {
    while (ended.length > 0) {
      const permits = ended;
      ended = [];
      await done([window], [windowMs, ...permits]).catch(unsaid);
      await clock.sleep(DONE_EVERY_MS);
    }
    isFlushing = false;
  }

  // A store that knows nothing holds every call back at first: that begins now and not with the first ticket.
  ask(true, [], []).catch(() => undefined);

  return {
    async dispatch({ entered, left, waiting }) {
      const reply = await askWithAll(entered, left, waiting).catch((error: unknown) => {
        uncounted(error);
        throw error;
      });
      const [waitMs = 0, permitMs = 0, turns = 0, users = 0, scheduled = 0, ...granted] = reply;
      const againMs = Math.max(1, Math.min(permitMs, ASK_EVERY_MS));
      return { granted, waitMs, againMs, depth: { turns, users, scheduled } };
    },
    done(id) {
      ended.push(`${me}:${id}`);
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
    release(id) {
      redis.zrem(window, `${me}:${id}`).catch(unsaid);
    },
    pause(ms) {
      pause([window], [Math.ceil(ms)]).catch(unsaid);
    },
  };
}
