import { createHmac } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';

/** Maps `admin-log` to `admin_log`: the service's schema; its role is `casewatch_admin_log`. */
export const schemaOf = (service: ServiceName): string => service.replaceAll('-', '_');
export const roleOf = (service: ServiceName): string => `casewatch_${schemaOf(service)}`;
/**
 * Returns the service's second login, whose sessions act as its role. A role has one password: while processes replace theirs, those
 * with the older one sign in by one login and those with the newer by the other.
 */
export const alternateOf = (service: ServiceName): string => `${roleOf(service)}_alternate`;
/** Returns the logins that a URL of the service may name. */
export const loginsOf = (service: ServiceName): readonly string[] => [roleOf(service), alternateOf(service)];

/** Returns the folder of the numbered SQL files that make the service's schema; none of its code is read for that. */
export const migrationsOf = (service: ServiceName): URL =>
  new URL(`../../../../services/${service}/migrations/`, import.meta.url);

/** Returns the password of a service's role where one process makes and uses the roles: derived from one secret. */
export function derivePassword(service: ServiceName, secret: string): string {
  return createHmac('sha256', secret).update(roleOf(service)).digest('base64url');
}

/** Returns the owner's URL with the service's own role in place of the owner. */
export function serviceUrl(ownerUrl: string, service: ServiceName, secret: string): string {
  const url = new URL(ownerUrl);
  url.username = roleOf(service);
  url.password = derivePassword(service, secret);
  return url.href;
}
