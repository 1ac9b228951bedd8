import { defineService } from '@casewatch/service-definition/define-service';
import { streamSettings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { openSignal } from './live/live-signal.ts';
import { openLive } from './live/open-live.ts';

/** The event streams without the rest of the service: reads what it stores, and writes nothing. */
export const service = defineService({
  name: 'notifications',
  settings: streamSettings,
  personalData,
  init: async ({ settings, logger, clock, databaseUrl, directDatabaseUrl, pubSub, telemetry }) => {
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.NOTIFICATIONS_DATABASE_CONNECTIONS,
      logger,
    });
    const signal = openSignal({ pubSub, directDatabaseUrl, clock, logger, telemetry });
    const streams = openLive({ settings, store, signal, clock, logger, telemetry });
    return {
      routes: [streams.route],
      consumers: [],
      pool,
      jobs: [streams.job],
      stop: async () => {
        await streams.stop();
        await close();
      },
    };
  },
});
