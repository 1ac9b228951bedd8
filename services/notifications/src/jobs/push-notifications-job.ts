import type { PushFanOut, PushSubscription } from '@casewatch/messaging/push/push-fan-out';
import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import { readPushKey } from '../domain/push-key.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

const UPKEEP_EVERY_MS = 1_000;

/** Receives the pushes of every process for the streams of this one, and keeps the streams alive and bounded. */
export function createPushNotificationsJob(options: {
  push: PushFanOut;
  hub: StreamHub;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
}): Job {
  const { push, hub, clock, logger, tracing } = options;
  const upkeep = createPollingJob({
    name: 'push-notifications',
    clock,
    logger,
    retryMs: UPKEEP_EVERY_MS,
    pass() {
      hub.maintain();
      return UPKEEP_EVERY_MS;
    },
  });
  let subscription: PushSubscription | undefined;

  function onKey(key: string, traceparent?: string): void {
    const { userId, isAboutCases } = readPushKey(key);
    if (isAboutCases) {
      hub.casesChanged(userId);
      return;
    }
    if (traceparent === undefined || !tracing.on || !hub.has(userId)) {
      void hub.fetchFor(userId);
      return;
    }
    const span = { name: 'push notifications', kind: 'internal', parent: traceparent } as const;
    void tracing.inSpan(span, async () => hub.fetchFor(userId));
  }

  return {
    name: upkeep.name,
    start() {
      subscription = push.listen({ onKey, onGap: () => hub.fetchForAll() });
      upkeep.start();
    },
    async stop() {
      await Promise.all([upkeep.stop(), subscription?.stop()]);
    },
  };
}
