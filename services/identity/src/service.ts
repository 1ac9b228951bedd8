import { checkSchema } from '@casewatch/platform/db/schema-check';
import { defineService } from '@casewatch/platform/runtime/service-definition';
import { settings } from './config.ts';
import { openDatabase } from './data/open-database.ts';
import { settleDemoAccounts } from './domain/demo-accounts.ts';
import { createPasswordHasher } from './domain/password-hasher.ts';
import { createThrottle } from './domain/throttle.ts';
import { createRoutes } from './http/routes.ts';
import { createSessionCookie } from './http/session-cookie.ts';
import { createExpiredSessionsJob } from './jobs/remove-expired-sessions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const migrations = new URL('../migrations/', import.meta.url);

/** Accounts, sign-in and sessions. */
export const service = defineService({
  name: 'identity',
  settings,
  migrations,
  init: async ({ settings, logger, clock, databaseUrl, limiters, bus }) => {
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.IDENTITY_DATABASE_CONNECTIONS,
      logger,
      bus,
    });
    const lifetime = {
      idleMs: settings.SESSION_IDLE_HOURS * HOUR_MS,
      maximumMs: settings.SESSION_MAX_DAYS * DAY_MS,
    };
    const identity = {
      store,
      hasher: await createPasswordHasher({
        atOnce: settings.PASSWORD_HASHES_AT_ONCE,
        waiting: settings.PASSWORD_HASHES_WAITING,
      }),
      throttle: createThrottle(limiters, {
        triesPerAccount: settings.SIGN_IN_TRIES_PER_ACCOUNT,
        triesPerAddress: settings.SIGN_IN_TRIES_PER_ADDRESS,
        windowSeconds: settings.SIGN_IN_WINDOW_MINUTES * 60,
        signUpsPerAddress: settings.SIGN_UPS_PER_ADDRESS,
      }),
      clock,
      lifetime,
      demoAccounts: settings.DEMO_ACCOUNTS,
    };
    try {
      await settleDemoAccounts(identity, logger);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      routes: createRoutes(identity, createSessionCookie(settings.PUBLIC_URL, lifetime.maximumMs)),
      consumers: [],
      jobs: [createExpiredSessionsJob({ sessions: store.sessions, clock, logger })],
      ready: () => checkSchema(pool, migrations),
      stop: close,
    };
  },
});
