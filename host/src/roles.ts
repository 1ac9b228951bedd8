import { SettingsError } from '@casewatch/platform/config/settings';
import type { ServiceDefinition } from '@casewatch/platform/runtime/service-definition';

export interface Roles {
  /** Every role in this one process: it may bring its own database and simulators. */
  readonly allInOne: boolean;
  readonly gateway: boolean;
  /** In the order of the registry. */
  readonly services: readonly ServiceDefinition[];
}

/** Reads `SERVICES`. @throws SettingsError naming what it does not know. */
export function chooseRoles(text: string, registry: readonly ServiceDefinition[]): Roles {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 1 && names[0] === 'all') return { allInOne: true, gateway: true, services: registry };
  const known = ['gateway', ...registry.map((service) => service.name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new SettingsError([
      `SERVICES: ${unknown.join(', ') || 'nothing'} is no role; known: all, ${known.join(', ')}`,
    ]);
  }
  return {
    allInOne: false,
    gateway: names.includes('gateway'),
    services: registry.filter((service) => names.includes(service.name)),
  };
}
