import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readHostSettings, settingsGroups } from '@casewatch/host/all-settings';
import { kafkaConnectionOf } from '@casewatch/host/kafka-settings';
import { putLoginsIntoUrls } from '@casewatch/host/separate-logins';
import { expect, it } from 'vitest';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { chartFolder, INSTALLS, renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** What the chart sets is what the product reads. */

const FULL = 'r-casewatch';
/** Read besides the settings that are listed: by Node, in other settings, or for one service of several. */
const NOT_LISTED =
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|[A-Z_]+_DATABASE(_DIRECT)?_(URL|USERNAME|PASSWORD)|SERVICES)$/;
/** What secrets hold, by the setting: the shape that the product asks for. */
const IN_SECRETS: readonly (readonly [RegExp, string])[] = [
  [/DATABASE(_DIRECT)?_URL$/, 'postgres://casewatch:secret@db.example.com:5432/casewatch'],
  [/^REDIS_URL$/, 'rediss://:secret@redis.example.com:6379'],
  [/^SMTP_URL$/, 'smtp://user:secret@mail.example.com:587'],
  [/^PUSH_VAPID_PRIVATE_KEY$/, 'A'.repeat(43)],
  [/^AGENCY_HEADERS$/, '{"X-Request-Source":"casewatch"}'],
  [/./, 'a-secret-of-at-least-32-characters'],
];

/** The settings of a role's process, as its pod has them. */
function settingsOf(manifests: Manifest[], deployment: Manifest): Record<string, string> {
  const shared = z.record(z.string(), z.string()).parse(at(named(manifests, 'ConfigMap', FULL), 'data'));
  const own = Object.entries(environment(deployment)).map(([name, value]) => {
    const env = at(podSpec(deployment), 'containers', 0, 'env');
    const entry = Array.isArray(env) ? env.find((one) => at(one, 'name') === name) : undefined;
    const held = IN_SECRETS.find(([pattern]) => pattern.test(name))?.[1] ?? '';
    return [name, at(entry, 'valueFrom') ? held : value];
  });
  return { ...shared, ...Object.fromEntries(own) };
}

const rolesOf = (manifests: Manifest[]) =>
  ofKind(manifests, 'Deployment').filter((one) => environment(one).SERVICES !== undefined);

it.each(INSTALLS)(
  'the product takes what a %s install sets for every role, and knows each setting',
  async (install) => {
    const known = new Set((await settingsGroups()).flatMap(({ shape }) => Object.keys(shape)));
    const manifests = await renderChart([install]);
    expect(rolesOf(manifests).length).toBeGreaterThan(0);
    for (const role of rolesOf(manifests)) {
      const settings = settingsOf(manifests, role);
      const unknown = Object.keys(settings).filter((name) => !known.has(name) && !NOT_LISTED.test(name));
      expect(unknown, role.metadata.name).toEqual([]);
      await expect(readHostSettings(settings), role.metadata.name).resolves.toBeDefined();
    }
  },
);

it('the product signs in to Kafka as the values say', async () => {
  const sasl = {
    'kafka.saslMechanism': 'oauthbearer',
    'kafka.oauth.tokenUrl': 'https://id.example.com/token',
    'kafka.oauth.scope': 'kafka',
  };
  for (const [set, mechanism] of [
    [{}, 'scram-sha-512'],
    [sasl, 'oauthbearer'],
  ] as const) {
    const manifests = await renderChart(['large'], set);
    const cases = settingsOf(manifests, named(manifests, 'Deployment', `${FULL}-cases`));
    const { settings } = await readHostSettings(cases);
    expect(kafkaConnectionOf(settings)?.sasl).toMatchObject({ mechanism });
  }
});

const HARD = "p#%@:/? é'";

it('the product signs in with passwords of any characters, where the values have the URLs', async () => {
  const manifests = await renderChart(['large'], {
    'postgres.url': 'postgres://db.example.com:5432/casewatch?sslmode=verify-full',
    'redis.url': 'rediss://casewatch.redis.cache.windows.net:6380',
    'mail.url': 'smtps://mail.example.com:465',
  });
  const [role, job] = [
    named(manifests, 'Deployment', `${FULL}-notifications`),
    ofKind(manifests, 'Job')[0] as Manifest,
  ].map((one) => environment(one));
  expect(role).toMatchObject({
    DATABASE_PASSWORD: 'casewatch-database/notifications-password',
    REDIS_PASSWORD: 'casewatch-redis/password',
    SMTP_PASSWORD: 'casewatch-mail/smtp-password',
  });
  expect(job).toMatchObject({
    DATABASE_USERNAME: 'casewatch-database/owner-username',
    CASES_DATABASE_PASSWORD: 'casewatch-database/cases-password',
  });
  const env: NodeJS.ProcessEnv = { ...role };
  for (const name of Object.keys(env).filter((one) => one.endsWith('_PASSWORD'))) env[name] = HARD;
  for (const name of Object.keys(env).filter((one) => one.endsWith('_USERNAME'))) delete env[name];
  putLoginsIntoUrls(env);
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL']) {
    expect(decodeURIComponent(new URL(env[name] ?? '').password)).toBe(HARD);
  }
  expect(new URL(env.DATABASE_URL ?? '').username).toBe('casewatch_notifications');
  const open = await renderChart(['large'], {
    'redis.url': 'redis://10.0.0.3:6379',
    'secrets.redis.name': '',
  });
  const gateway = environment(named(open, 'Deployment', `${FULL}-gateway`));
  expect(gateway).toMatchObject({ REDIS_URL: 'redis://10.0.0.3:6379' });
  expect(gateway).not.toHaveProperty('REDIS_PASSWORD');
});

it('every process knows the proxy, and what is reached without it', async () => {
  const manifests = await renderChart(['large'], { 'proxy.url': 'http://proxy.example.com:3128' });
  expect(at(named(manifests, 'ConfigMap', FULL), 'data')).toMatchObject({
    HTTPS_PROXY: 'http://proxy.example.com:3128',
    NO_PROXY: '.svc,.cluster.local',
    NODE_USE_ENV_PROXY: '1',
  });
});

it('every value has a comment in values.yaml that says what it does', () => {
  const { contents } = parseDocument(readFileSync(path.join(chartFolder, 'values.yaml'), 'utf8'));
  expect(isMap(contents) && withoutComment(contents)).toEqual([]);
});

/** The names of values that no comment of the form `# -- …` describes, neither at the value nor at a map that holds it. */
function withoutComment({ items, commentBefore }: YAMLMap): string[] {
  return items.flatMap(({ key, value }, index) => {
    // The parser gives a comment at the beginning of a map to the map.
    const comment = (isScalar(key) && key.commentBefore) || (index === 0 && commentBefore) || '';
    if (/^ ?-- [A-Z`].{10,}\.$/ms.test(comment)) return [];
    if (isMap(value) && value.items.length > 0) return withoutComment(value).map((name) => `${key}.${name}`);
    return [String(key)];
  });
}
