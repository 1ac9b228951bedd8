import type { ServiceDefinition } from '@casewatch/service-definition/define-service';
import { SettingsError } from '@casewatch/service-kit/settings/settings';
import { type RegisteredService, streams } from './registry.ts';

export interface Roles<Service = ServiceDefinition> {
  /** Every role in this one process: it may bring its own database and simulators. */
  readonly allInOne: boolean;
  readonly gateway: boolean;
  /** The event streams alone: `services` is then what serves them. */
  readonly streams: boolean;
  /** In the order of the registry. */
  readonly services: readonly Service[];
}

/** Reads `SERVICES`. @throws SettingsError naming what it does not know. */
export function chooseRoles(text: string, registry: readonly RegisteredService[]): Roles<RegisteredService> {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 1 && names[0] === 'all') {
    return { allInOne: true, gateway: true, streams: false, services: registry };
  }
  if (names.includes('streams')) {
    if (names.length === 1) return { allInOne: false, gateway: false, streams: true, services: [streams] };
    throw new SettingsError([
      'SERVICES: streams runs alone; a process with gateway and notifications has event streams without it',
    ]);
  }
  const known = ['gateway', ...registry.map((service) => service.name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new SettingsError([
      `SERVICES: ${unknown.join(', ') || 'nothing'} is no role; known: all, streams, ${known.join(', ')}`,
    ]);
  }
  return {
    allInOne: false,
    gateway: names.includes('gateway'),
    streams: false,
    services: registry.filter((service) => names.includes(service.name)),
  };
}

/** Reads the code of the chosen services, and of no other. */
export async function loadServices(services: readonly RegisteredService[]): Promise<ServiceDefinition[]> {
  const loaded = await Promise.all(services.map(({ load }) => load()));
  return loaded.map(({ service }) => service);
}
