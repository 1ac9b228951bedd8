import type { ServiceName } from '@casewatch/contracts/route-contract';
import { migrate } from '@casewatch/service-definition/migrate';
import { roleOf } from '@casewatch/service-kit/database/service-url';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { databaseSettingOf } from './database-urls.ts';
import { explainStartFailure } from './explain.ts';
import { registry } from './registry.ts';

/**
 * Brings every schema to this version and gives each service's database role the password that its own URL names:
 * DATABASE_URL is the owner's, IDENTITY_DATABASE_URL and its siblings are the services'. A service without a URL
 * keeps its role as it is. Exits 0 when all is done, 1 with the reason otherwise.
 */
try {
  const logger = createLogger({ level: process.env.LOG_LEVEL ?? 'info', name: 'migrate' });
  await migrate({ ownerUrl: ownerUrl(), services: registry, rolePasswordOf, logger });
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

function rolePasswordOf(service: ServiceName): string | undefined {
  const name = databaseSettingOf(service);
  const given = process.env[name];
  if (!given) return undefined;
  if (!URL.canParse(given)) throw new SettingsError([`${name}: is not a URL`]);
  const { username, password } = new URL(given);
  if (decodeURIComponent(username) !== roleOf(service) || password === '') {
    throw new SettingsError([`${name}: must name the role ${roleOf(service)} and its password`]);
  }
  return decodeURIComponent(password);
}
