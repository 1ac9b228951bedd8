import type { ServiceName } from '@casewatch/contracts/route-contract';
import { loginsOf } from '@casewatch/service-kit/database/service-url';
import { SettingsError } from '@casewatch/service-kit/settings/settings';

/** Maps `admin-log` to `ADMIN_LOG_DATABASE_URL`. */
export const databaseSettingOf = (
  service: ServiceName,
  name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' = 'DATABASE_URL',
): string => `${service.replaceAll('-', '_').toUpperCase()}_${name}`;

/**
 * Returns the URL with which a service of this process signs in to PostgreSQL: its own setting, so that several services in one process
 * keep a database role each, else DATABASE_URL.
 * @throws SettingsError when there is none, or when its own names another role
 */
export function databaseUrlFor(service: ServiceName, env: NodeJS.ProcessEnv): string {
  const name = databaseSettingOf(service);
  const own = env[name];
  if (own) return requireRole(service, name, own);
  if (env.DATABASE_URL) return env.DATABASE_URL;
  throw new SettingsError([`DATABASE_URL or ${name}: is needed when the services run apart`]);
}

/**
 * Returns the URL for what needs a session of PostgreSQL: `ADMIN_LOG_DATABASE_DIRECT_URL` or, of a service without a URL of its own,
 * DATABASE_DIRECT_URL; else the one above.
 * @throws SettingsError as above
 */
export function directUrlFor(service: ServiceName, env: NodeJS.ProcessEnv): string {
  const name = databaseSettingOf(service, 'DATABASE_DIRECT_URL');
  const own = env[name];
  if (own) return requireRole(service, name, own);
  if (env.DATABASE_DIRECT_URL && !env[databaseSettingOf(service)]) return env.DATABASE_DIRECT_URL;
  return databaseUrlFor(service, env);
}

function requireRole(service: ServiceName, name: string, own: string): string {
  const user = URL.canParse(own) ? decodeURIComponent(new URL(own).username) : undefined;
  const logins = loginsOf(service);
  if (user === undefined || !logins.includes(user))
    throw new SettingsError([`${name}: must be a URL of the role ${logins.join(' or ')}`]);
  return own;
}
