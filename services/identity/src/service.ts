import { downloadMyIdentityData } from '@casewatch/contracts/my-data';
import { defineService } from '@casewatch/service-definition/define-service';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createRemovalJob } from '@casewatch/service-kit/runtime/removal-job';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import { type IdentitySettings, settings } from './config.ts';
import { userRows } from './data/accounts.ts';
import { openDatabase } from './data/open-database.ts';
import { personalData } from './data/personal-data.ts';
import { settleDemoAccounts } from './domain/account/demo-accounts.ts';
import { createPasscode } from './domain/admin/passcode.ts';
import { SINGLE_SIGN_ON_PATH, type SignInProvider } from './domain/admin/sign-in-provider.ts';
import { createAdminThrottle } from './domain/limits/admin-throttle.ts';
import { createMailLimits } from './domain/limits/mail-limits.ts';
import { createThrottle } from './domain/limits/throttle.ts';
import { PasskeyCeremonies } from './domain/passkey/passkey-ceremonies.ts';
import { createPasswordHasher } from './domain/password/password-hasher.ts';
import { consumes } from './events/consumes.ts';
import { createAdminRoutes } from './http/admin-routes.ts';
import { createBrowserCookies } from './http/browser-cookies.ts';
import { createPasskeyRoutes } from './http/passkey-routes.ts';
import { createRecoveryRoutes } from './http/recovery-routes.ts';
import { createRoutes } from './http/routes.ts';
import { createOpenIdProvider } from './oidc/openid-provider.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long an address counts as one that an administrator has used. */
const ADMIN_NETWORKS_KEPT_MS = 30 * DAY_MS;

/** Accounts, sign-in and sessions. */
export const service = defineService({
  name: 'identity',
  settings,
  personalData,
  download: downloadMyIdentityData,
  init: async ({ settings, logger, clock, databaseUrl, limiters, bus, invalidation }) => {
    const provider = signInProvider(settings, logger);
    const { store, pool, close } = openDatabase({
      url: databaseUrl,
      maximum: settings.IDENTITY_DATABASE_CONNECTIONS,
      logger,
      bus,
      sendsMails: settings.ACCOUNT_MAILS,
    });
    const lifetime = {
      idleMs: settings.SESSION_IDLE_HOURS * HOUR_MS,
      maximumMs: settings.SESSION_MAX_DAYS * DAY_MS,
    };
    const throttleRules = {
      triesPerAccount: settings.SIGN_IN_TRIES_PER_ACCOUNT,
      triesPerAddress: settings.SIGN_IN_TRIES_PER_ADDRESS,
      windowSeconds: settings.SIGN_IN_WINDOW_MINUTES * 60,
      signUpsPerAddress: settings.SIGN_UPS_PER_ADDRESS,
    };
    const identity = {
      store,
      hasher: await createPasswordHasher({
        atOnce: settings.PASSWORD_HASHES_AT_ONCE,
        waiting: settings.PASSWORD_HASHES_WAITING,
      }),
      throttle: createThrottle(limiters, throttleRules),
      mailLimits: createMailLimits(limiters, {
        perRecipient: settings.ACCOUNT_MAILS_PER_ADDRESS,
        perAccount: settings.ACCOUNT_MAILS_PER_ACCOUNT,
        perNetwork: settings.ACCOUNT_MAILS_PER_NETWORK,
      }),
      ceremonies: new PasskeyCeremonies({
        store,
        clock,
        logger,
        publicUrl: settings.PUBLIC_URL,
        siteName: 'Casewatch',
      }),
      clock,
      lifetime,
      demoAccounts: settings.DEMO_ACCOUNTS,
      sendsMails: settings.ACCOUNT_MAILS,
      // Without a date the pages are samples.
      policiesVersion: settings.POLICIES_DATE,
      forgetSessions: (userId: string) => invalidation.publish({ userId }),
    };
    const { ADMIN_PASSCODE, ADMIN_PASSCODE_ENABLED } = settings;
    const hasPasscode = ADMIN_PASSCODE !== undefined && ADMIN_PASSCODE_ENABLED;
    const adminArea = {
      store,
      hasher: identity.hasher,
      passcode: hasPasscode ? await createPasscode(ADMIN_PASSCODE) : undefined,
      offAdvice: ADMIN_PASSCODE_ENABLED
        ? 'The admin area is off. Set ADMIN_PASSCODE to turn it on.'
        : 'The passcode is switched off. Sign in with your administrator account.',
      publicUrl: settings.PUBLIC_URL,
      ceremonies: identity.ceremonies,
      provider,
      signInThrottle: createThrottle(
        (rule) => limiters({ ...rule, name: `admin-${rule.name}` }),
        throttleRules,
      ),
      throttle: createAdminThrottle(limiters, {
        triesPerAddress: settings.ADMIN_TRIES_PER_ADDRESS,
        triesOverall: settings.ADMIN_TRIES_OVERALL,
      }),
      clock,
      lifetime: {
        idleMs: settings.ADMIN_IDLE_MINUTES * MINUTE_MS,
        maximumMs: settings.ADMIN_SESSION_HOURS * HOUR_MS,
      },
    };
    try {
      await settleDemoAccounts(identity, logger);
    } catch (error) {
      await close();
      throw error;
    }
    const browserCookies = createBrowserCookies(settings.PUBLIC_URL, lifetime.maximumMs);
    return {
      routes: [
        ...createRoutes(identity, browserCookies),
        ...createRecoveryRoutes(identity, browserCookies),
        ...createPasskeyRoutes(identity, browserCookies),
        ...createAdminRoutes(adminArea),
      ],
      consumers: consumes({ users: userRows, bus, forgetSessions: identity.forgetSessions }),
      pool,
      jobs: [
        // They are invalid even before.
        createRemovalJob({
          name: 'remove-expired-sessions',
          everyMs: 10 * MINUTE_MS,
          clock,
          logger,
          removals: [
            async () => {
              await store.adminSessions.removeEnded(clock.nowMs() - ADMIN_NETWORKS_KEPT_MS);
              return 0;
            },
            ...[store.sessions, store.mails, store.passkeys].map(
              (table) => (limit: number) => table.removeExpired(clock.nowMs(), limit),
            ),
          ],
        }),
      ],
      stop: close,
    };
  },
});

/** @throws SettingsError when only a part of what a provider needs is set */
function signInProvider(settings: SettingsOf<IdentitySettings>, logger: Logger): SignInProvider | undefined {
  const { ADMIN_OIDC_ISSUER: issuer, ADMIN_OIDC_CLIENT_ID: clientId } = settings;
  const clientSecret = settings.ADMIN_OIDC_CLIENT_SECRET;
  const given = [issuer, clientId, clientSecret].filter((one) => one !== undefined).length;
  if (given === 0) return undefined;
  if (!issuer || !clientId || !clientSecret) {
    throw new SettingsError([
      'ADMIN_OIDC_ISSUER, ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET: set all three, or none',
    ]);
  }
  return createOpenIdProvider({
    issuer,
    clientId,
    clientSecret,
    label: settings.ADMIN_OIDC_LABEL,
    scope: settings.ADMIN_OIDC_SCOPE,
    roleClaim: settings.ADMIN_OIDC_ROLE_CLAIM,
    roles: new Map(Object.entries(settings.ADMIN_OIDC_ROLES ?? {})),
    redirectUri: new URL(SINGLE_SIGN_ON_PATH, settings.PUBLIC_URL).href,
    logger,
  });
}
