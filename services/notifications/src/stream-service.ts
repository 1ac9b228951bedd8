import { defineService } from '@casewatch/service-definition/define-service';
import { checkSchema } from '@casewatch/service-definition/schema-check';
import { streamSettings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { openSignal } from './live/live-signal.ts';
import { openLive } from './live/open-live.ts';
import { migrations } from './migrations.ts';

/** The event streams without the rest of the service: reads what it stores, and writes nothing. */
export const service = defineService({
  name: 'notifications',
  settings: streamSettings,
  migrations,
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
      pools: [pool],
      jobs: [streams.job],
      ready: () => checkSchema(pool, migrations),
      stop: async () => {
        await streams.stop();
        await close();
      },
    };
  },
});
