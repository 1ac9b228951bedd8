import type { LiveSignal, SignalSubscription } from '@casewatch/messaging/live/live-signal';
import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import { readLiveKey } from '../domain/live-key.ts';
import type { LiveHub } from '../live/live-hub.ts';

const UPKEEP_EVERY_MS = 1_000;

/** Receives the signals of every process for the streams of this one, and keeps the streams alive and bounded. */
export function createLiveJob(options: {
  signal: LiveSignal;
  hub: Pick<LiveHub, 'has' | 'fetchFor' | 'fetchForAll' | 'casesChanged' | 'maintain'>;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
}): Job {
  const { signal, hub, clock, logger, tracing } = options;
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
  let subscription: SignalSubscription | undefined;

  function onKey(key: string, traceparent?: string): void {
    const { userId, isAboutCases } = readLiveKey(key);
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
      subscription = signal.listen({ onKey, onGap: () => hub.fetchForAll() });
      upkeep.start();
    },
    async stop() {
      await Promise.all([upkeep.stop(), subscription?.stop()]);
    },
  };
}
