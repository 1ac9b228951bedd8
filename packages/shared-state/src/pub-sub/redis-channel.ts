import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Redis } from 'ioredis';
import type { ChannelListener, ChannelSubscription } from './pub-sub.ts';

/** A connection that only receives does not notice by itself that its peer is unavailable. */
const HEARTBEAT_MS = 2_000;

/** Subscribes to a channel, again after each loss of the connection, which is used for nothing else. */
export function subscribeToChannel(options: {
  subscriber: Redis;
  channel: string;
  /** Begins the log lines. */
  name: string;
  logger: Logger;
  listener: ChannelListener;
}): ChannelSubscription {
  const { subscriber, channel, name, logger, listener } = options;
  let subscribed = false;
  let stopped = false;

  function miss(): void {
    subscribed = false;
    if (!stopped) listener.onGap();
  }

  async function openChannel(): Promise<void> {
    try {
      await subscriber.subscribe(channel);
      if (stopped) return;
      subscribed = true;
      listener.onGap();
    } catch (error) {
      if (stopped) return;
      // A connection that can't subscribe is useless: reconnect.
      logger.warn({ err: error }, `${name}: subscription failed, reconnecting`);
      subscriber.disconnect(true);
    }
  }

  subscriber.on('ready', () => void openChannel());
  subscriber.on('close', miss);
  subscriber.on('message', (_channel: string, message: string) => {
    if (!stopped) listener.onMessage(message);
  });
  if (subscriber.status === 'ready') void openChannel();
  const heartbeat = setInterval(() => {
    // A missing answer closes the connection, which is then noticed.
    if (subscribed) subscriber.ping().catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    isSubscribed: () => subscribed,
    stop() {
      stopped = true;
      clearInterval(heartbeat);
      subscribed = false;
    },
  };
}
