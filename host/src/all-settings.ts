import { gatewaySettings } from '@casewatch/gateway/config';
import { readSettings, SettingsError, type SettingsShape } from '@casewatch/platform/config/settings';
import { hostSettings } from './config.ts';
import { requireEvents } from './events.ts';
import { registry } from './registry.ts';
import { chooseRoles } from './roles.ts';

export interface SettingsGroup {
  readonly owner: string;
  readonly shape: SettingsShape;
}

/** Every setting of the product by the part that reads it: what the generated page lists. */
export const settingsGroups: readonly SettingsGroup[] = [
  { owner: 'host', shape: hostSettings },
  { owner: 'gateway', shape: gatewaySettings },
  ...registry.map((service) => ({ owner: service.name, shape: service.settings })),
];

/**
 * Reads the host's settings and checks those of every role of this process.
 * @throws SettingsError with every fault of every part at once.
 */
export function readHostSettings(env: NodeJS.ProcessEnv) {
  const faults: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const settings = attempt(() => readSettings(hostSettings, env));
  const roles = attempt(() => chooseRoles(env.SERVICES || 'all', registry));
  if (roles?.gateway) attempt(() => readSettings(gatewaySettings, env));
  for (const service of roles?.services ?? []) attempt(() => readSettings(service.settings, env));
  if (settings && roles) attempt(() => requireEvents(settings, roles.services, registry));
  if (!settings || !roles || faults.length > 0) throw new SettingsError([...new Set(faults)]);
  return { settings, roles };
}
