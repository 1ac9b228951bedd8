import type { ServiceName } from '@casewatch/contracts/route-contract';
import { type Login, migrate } from '@casewatch/service-definition/migrate';
import { loginsOf } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { databaseSettingOf } from './database-urls.ts';
import { explainStartFailure } from './explain.ts';
import { registry } from './registry.ts';
import { putLoginsIntoUrls } from './separate-logins.ts';

/**
 * Brings every schema to this version and gives the login that each service's own URL names, its role or the alternate, the
 * password there: DATABASE_URL is the owner's, IDENTITY_DATABASE_URL and its siblings are the services'. A service without
 * a URL keeps its logins as they are, and so does the login that no URL names. Exits 0 when all is done, 1 with the reason otherwise.
 */
putLoginsIntoUrls(process.env);
try {
  const logger = createLogger({ level: process.env.LOG_LEVEL ?? 'info', name: 'migrate' });
  await migrate({ ownerUrl: ownerUrl(), services: registry, loginOf, logger });
  logger.info({ services: registry.length }, 'every schema is up to date');
} catch (error) {
  console.error(explainStartFailure(error, 0) ?? error);
  process.exitCode = 1;
}

function ownerUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new SettingsError(['DATABASE_URL: the URL of the owner of the schemas is needed']);
  return url;
}

function loginOf(service: ServiceName): Login | undefined {
  const name = databaseSettingOf(service);
  const given = process.env[name];
  if (!given) return undefined;
  if (!URL.canParse(given)) throw new SettingsError([`${name}: is not a URL`]);
  const { username, password } = new URL(given);
  const logins = loginsOf(service);
  const user = decodeURIComponent(username);
  if (!logins.includes(user) || password === '') {
    throw new SettingsError([`${name}: must name the role ${logins.join(' or ')} and its password`]);
  }
  return { user, password: decodeURIComponent(password) };
}
