import type { PushFanOut, PushSubscription } from '@casewatch/messaging/push/push-fan-out';
import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { StreamHub } from '../streams/stream-hub.ts';

const UPKEEP_EVERY_MS = 1_000;

/**
 * Hears the pushes of every process for the streams of this one, and keeps the streams alive and bounded. `onNews` is
 * notified of new e-mails, for any user.
 */
export function createPushNotificationsJob(options: {
  push: PushFanOut;
  hub: StreamHub;
  clock: Clock;
  tracing: Tracing;
  onNews?: () => void;
}): Job {
  const { push, hub, clock, tracing, onNews } = options;
  const stopping = new AbortController();
  let subscription: PushSubscription | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      hub.maintain();
      await clock.sleep(UPKEEP_EVERY_MS, stopping.signal).catch(() => undefined);
    }
  }

  function onKey(userId: string, traceparent?: string): void {
    onNews?.();
    if (traceparent === undefined || !tracing.on || !hub.has(userId)) {
      void hub.fetchFor(userId);
      return;
    }
    const span = { name: 'push notifications', kind: 'internal', parent: traceparent } as const;
    void tracing.inSpan(span, async () => hub.fetchFor(userId));
  }

  function onGap(): void {
    onNews?.();
    hub.fetchForAll();
  }

  return {
    name: 'push-notifications',
    start() {
      subscription = push.listen({ onKey, onGap });
      running = run();
    },
    async stop() {
      stopping.abort();
      await Promise.all([running, subscription?.stop()]);
    },
  };
}
