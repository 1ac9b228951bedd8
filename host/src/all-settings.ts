import { policyProblems } from '@casewatch/service-kit/settings/policy-settings';
import { readSettings, SettingsError, type SettingsShape } from '@casewatch/service-kit/settings/settings';
import { hostSettings } from './config.ts';
import { requireEvents } from './events.ts';
import { registry } from './registry.ts';
import { chooseRoles, loadServices } from './roles.ts';
import { relationProblems } from './setting-relations.ts';
import { chooseSimulation } from './simulation.ts';

export interface SettingsGroup {
  readonly owner: string;
  readonly shape: SettingsShape;
}

/** Returns every setting of the product by the part that reads it: what the generated page lists. */
export async function settingsGroups(): Promise<readonly SettingsGroup[]> {
  return [
    { owner: 'host', shape: hostSettings },
    { owner: 'gateway', shape: await loadGatewaySettings() },
    ...(await loadServices(registry)).map(({ name, settings }) => ({ owner: name, shape: settings })),
  ];
}

/**
 * Reads the host's settings and checks those of every role of this process, whose code it loads.
 * @throws SettingsError with every problem of every part at once.
 */
export async function readHostSettings(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const settings = attempt(() => readSettings(hostSettings, env));
  const chosen = attempt(() => chooseRoles(env.SERVICES || 'all', registry));
  const hasEntrance = chosen?.gateway || chosen?.streams;
  const gatewaySettings = hasEntrance ? await loadGatewaySettings() : undefined;
  const services = await loadServices(chosen?.services ?? []);
  const shapes = [...(gatewaySettings ? [gatewaySettings] : []), ...services.map((one) => one.settings)];
  const read = shapes.map((shape) => attempt(() => readSettings<SettingsShape>(shape, env)));
  problems.push(...relationProblems(Object.assign({}, settings, ...read)));
  const readable = new Set([hostSettings, ...shapes].flatMap((shape) => Object.keys(shape)));
  problems.push(...policyProblems(readable, env));
  if (settings && chosen?.streams && !settings.REDIS_URL) {
    problems.push('REDIS_URL: is needed by streams, which learns through it that a session has ended');
  }
  if (settings && chosen && !chosen.streams) {
    attempt(() => requireEvents(settings, services, registry.length));
  }
  if (settings && chosen?.allInOne) attempt(() => chooseSimulation(settings, env));
  if (!settings || !chosen || problems.length > 0) throw new SettingsError([...new Set(problems)]);
  return { settings, roles: { ...chosen, services } };
}

async function loadGatewaySettings() {
  return (await import('@casewatch/gateway/config')).gatewaySettings;
}
