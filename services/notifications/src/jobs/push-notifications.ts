import type { PushFanOut, PushSubscription } from '@casewatch/platform/push/push-fan-out';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Job } from '@casewatch/platform/runtime/service-definition';
import type { StreamHub } from '../streams/stream-hub.ts';

const UPKEEP_EVERY_MS = 1_000;

/** Hears the pushes of every process for the streams of this one, and keeps the streams alive and bounded. */
export function createPushJob({ push, hub, clock }: { push: PushFanOut; hub: StreamHub; clock: Clock }): Job {
  const stopping = new AbortController();
  let subscription: PushSubscription | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      hub.upkeep();
      await clock.sleep(UPKEEP_EVERY_MS, stopping.signal).catch(() => undefined);
    }
  }

  return {
    name: 'push-notifications',
    start() {
      subscription = push.listen({ onKey: hub.look, onGap: hub.lookEverywhere });
      running = run();
    },
    async stop() {
      stopping.abort();
      await Promise.all([running, subscription?.stop()]);
    },
  };
}
