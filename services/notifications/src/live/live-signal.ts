import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { createPostgresSignal } from '@casewatch/messaging/live/postgres-signal';
import type { ServiceDeps } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { PubSub } from '@casewatch/shared-state/pub-sub/pub-sub';

const CHANNEL = 'push-notifications';
/** A message can be lost without a trace: how often listeners look for changes at least. */
const SWEEP_MS = 60_000;
const SWEEP_UNSUBSCRIBED_MS = 5_000;

/** Between the publisher's trace, which may be empty, and the keys; none of them contains it. */
const SEPARATOR = '\n';

/** Pushes by Redis after the commit where there is one, else by NOTIFY with it (ADR 7). */
export function openSignal({
  pubSub,
  directDatabaseUrl,
  clock,
  logger,
  telemetry: { tracing },
}: Pick<ServiceDeps, 'pubSub' | 'directDatabaseUrl' | 'clock' | 'logger' | 'telemetry'>): LiveSignal {
  if (pubSub) return createPubSubSignal({ pubSub, clock, tracing });
  return createPostgresSignal({
    service: 'notifications',
    databaseUrl: directDatabaseUrl,
    clock,
    logger,
    tracing,
  });
}

/** Delivers at most once: listeners are called for a gap every minute, too, and every five seconds while not subscribed. */
export function createPubSubSignal({
  pubSub,
  clock,
  tracing,
}: {
  pubSub: PubSub;
  clock: Clock;
  tracing: Pick<Tracing, 'traceparent'>;
}): LiveSignal {
  return {
    publish: async () => undefined,
    committed: (keys) => {
      if (keys.length === 0) return;
      pubSub.publish(CHANNEL, [tracing.traceparent() ?? '', ...keys].join(SEPARATOR));
    },
    listen: (listener) => {
      const stopping = new AbortController();
      const subscription = pubSub.subscribe(CHANNEL, {
        onMessage: (text) => {
          const [traceparent, ...keys] = text.split(SEPARATOR);
          for (const key of keys) {
            if (traceparent) listener.onKey(key, traceparent);
            else listener.onKey(key);
          }
        },
        onGap: () => listener.onGap(),
      });
      const sweeping = sweep();
      async function sweep(): Promise<void> {
        const time = steadyTime(clock);
        let sweptMs = time();
        for (;;) {
          await clock.sleep(SWEEP_UNSUBSCRIBED_MS, stopping.signal).catch(() => undefined);
          if (stopping.signal.aborted) return;
          const nowMs = time();
          if (subscription.isSubscribed() && nowMs < sweptMs + SWEEP_MS) continue;
          sweptMs = nowMs;
          listener.onGap();
        }
      }
      return {
        async stop() {
          stopping.abort(new Error('stopped'));
          subscription.stop();
          await sweeping;
        },
      };
    },
  };
}
