import { readFileSync } from 'node:fs';
import path from 'node:path';
import { settingsGroups } from '@casewatch/host/all-settings';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, renderChart } from '../../src/helm.ts';

/** One process of each: what its settings say, eight for events, one of the agency's caller, one that notifications listens on, 16 of billing's users. */
const OF_ONE = {
  identity: 18,
  cases: 19,
  monitoring: 16,
  notifications: 19,
  billing: 34,
  surveys: 18,
  'admin-log': 14,
};
/** Of the streams role, at its six replicas and one more: a pool of notifications' size, and one that listens. */
const STREAMS = 7 * 11;
const sum = (replicas: Partial<Record<keyof typeof OF_ONE, number>>) =>
  Object.entries(OF_ONE).reduce(
    (all, [role, connections]) => all + connections * (replicas[role as keyof typeof OF_ONE] ?? 3),
    0,
  );

/** What the values may open, by the message that refuses them; the values must be refused. */
async function connectionsOf(files: readonly string[], set: Record<string, string> = {}): Promise<number> {
  const output = await renderChart(files, { ...set, 'postgres.maxConnections': '1' }).then(
    () => '',
    (error) => String(error.stderr),
  );
  return Number(/opens up to (\d+) connections/.exec(output)?.[1]);
}

it('counts the connections of every role at most replicas, with one pod more of each', async () => {
  expect(await connectionsOf(['small'])).toBe(2 * 138);
  expect(await connectionsOf(['locked-down'])).toBe(sum({ identity: 7 }));
  const large = {
    identity: 13,
    cases: 13,
    monitoring: 7,
    notifications: 7,
    billing: 7,
    surveys: 7,
    'admin-log': 7,
  };
  expect(await connectionsOf(['large'])).toBe(sum(large) + STREAMS);
  expect(await connectionsOf(['locked-down', '../sizes/1m'])).toBe(
    sum({ identity: 13, cases: 13, notifications: 13 }) + STREAMS,
  );
}, 60_000);

it('counts one process of everything in a single pod, which is never rolled next to another', async () => {
  expect(await connectionsOf(['single'])).toBe(138);
});

it('counts settings that replace the defaults, of all roles and of one', async () => {
  const base = await connectionsOf(['small']);
  const all = await connectionsOf(['small'], { 'settings.BILLING_USERS_AT_ONCE': '20' });
  expect(all - base).toBe(2 * 4);
  const one = await connectionsOf(['small'], { 'services.cases.env.CASES_DATABASE_CONNECTIONS': '30' });
  expect(one - base).toBe(2 * 20);
}, 60_000);

it('counts sessions, and what the pooler opens instead of its clients, where there is a pooler', async () => {
  const pooler = { 'postgres.pooler.enabled': 'true', 'postgres.pooler.connections': '60' };
  // A relay of each service, one of the agency's caller, one that notifications listens on, 16 of billing's users.
  expect(await connectionsOf(['small'], pooler)).toBe(2 * (7 + 1 + 1 + 16) + 60);
  expect(await connectionsOf(['large'], pooler)).toBe(2 * 13 + 5 * 7 + 13 + 7 * (1 + 16) + 7 + 60);
  expect(await connectionsOf(['single'], pooler)).toBe(7 + 1 + 1 + 16 + 60);
}, 60_000);

it('accepts values that PostgreSQL has connections for', async () => {
  await expect(renderChart(['small'], { 'postgres.maxConnections': '276' })).resolves.toBeDefined();
});

it('knows the defaults of the settings that it counts', async () => {
  const template = readFileSync(path.join(chartFolder, 'templates/_connections.tpl'), 'utf8');
  const counted = parse(/connectionSettings" -}}\n([\s\S]*?){{- end -}}/.exec(template)?.[1] ?? '');
  const groups = await settingsGroups();
  const found = Object.fromEntries(
    Object.keys(counted).map((service) => {
      const shape = groups.find(({ owner }) => owner === service)?.shape ?? {};
      const names = Object.keys(shape).filter((name) =>
        /_DATABASE_CONNECTIONS$|^BILLING_USERS_AT_ONCE$/.test(name),
      );
      return [service, Object.fromEntries(names.map((name) => [name, shape[name]?.parse(undefined)]))];
    }),
  );
  expect(found).toEqual(counted);
});
