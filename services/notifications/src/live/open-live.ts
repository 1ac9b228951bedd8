import { streamNotifications } from '@casewatch/contracts/notifications';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import type { Job } from '@casewatch/service-definition/define-service';
import { type Route, streamRoute } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { streamSettings } from '../config.ts';
import type { Store } from '../domain/store.ts';
import { createLiveJob } from '../jobs/live-job.ts';
import { LiveHub } from './live-hub.ts';

export interface OpenLiveOptions {
  settings: SettingsOf<typeof streamSettings>;
  store: Store;
  signal: LiveSignal;
  clock: Clock;
  logger: Logger;
  telemetry: Telemetry;
}

export interface Live {
  readonly route: Route;
  readonly job: Job;
  stop(): Promise<void>;
}

/** Opens the event streams of one process: their route, what feeds them, and how many are open. */
export function openLive({ settings, telemetry, ...deps }: OpenLiveOptions): Live {
  const hub = new LiveHub({
    ...deps,
    maxLifeMs: settings.NOTIFICATION_STREAM_SECONDS * 1000,
    heartbeatMs: settings.NOTIFICATION_HEARTBEAT_SECONDS * 1000,
    maxPerUser: settings.NOTIFICATION_STREAMS_PER_USER,
    maxStreams: settings.NOTIFICATION_STREAMS,
  });
  readGauges(telemetry.meter, { casewatch_push_streams: 'Event streams that are open.' }, () => ({
    casewatch_push_streams: hub.size(),
  }));
  return {
    route: streamRoute(streamNotifications, async ({ caller, query, request }) => {
      const start = await hub.admit(caller.userId, request.lastEventId ?? query.after);
      return { stream: (out) => (start ? hub.add(caller.userId, start, out) : hub.reject(out)) };
    }),
    job: createLiveJob({ ...deps, hub, tracing: telemetry.tracing }),
    stop: () => hub.stop(),
  };
}
