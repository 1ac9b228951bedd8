import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chartFolder, helm, renderChart, valueWords } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** How the roles, and KEDA for them, sign in to brokers of your own. */

const FULL = 'r-casewatch';
const SERVICES = ['identity', 'cases', 'monitoring', 'notifications', 'billing', 'surveys', 'admin-log'];
const OAUTH = {
  'kafka.saslMechanism': 'oauthbearer',
  'kafka.oauth.tokenUrl': 'https://id.example.com/token',
  'kafka.oauth.scope': 'kafka read',
};
const CERTIFICATE = { 'secrets.kafkaCertificate.name': 'casewatch-kafka-tls' };
let oauth: Manifest[];
let certified: Manifest[];
let locked: Manifest[];
beforeAll(async () => {
  [oauth = [], certified = [], locked = []] = await Promise.all([
    renderChart(['large'], { ...OAUTH, 'secrets.kafka.keys.client-secret': 'SECRET' }),
    renderChart(['large'], {
      ...CERTIFICATE,
      'kafka.saslMechanism': '',
      'secrets.kafka.name': '',
      'secrets.kafkaCertificate.keys.tls\\.key': 'user.key',
    }),
    renderChart(['locked-down'], {
      ...OAUTH,
      'secrets.kafka.name': 'casewatch-kafka',
      'networkPolicy.kafkaTokens.to[0].ipBlock.cidr': '10.9.0.0/24',
      'networkPolicy.kafkaTokens.ports': '{8443}',
    }),
  ]);
}, 1_800_000);

const kafkaOf = (manifests: Manifest[], role: string) =>
  Object.fromEntries(
    Object.entries(environment(named(manifests, 'Deployment', `${FULL}-${role}`))).filter(([name]) =>
      name.startsWith('KAFKA_'),
    ),
  );
const refused = (set: Record<string, string>) =>
  renderChart(['locked-down'], set).then(
    () => '',
    (error) => String(error.stderr),
  );

describe('OAUTHBEARER', () => {
  it('gives each service id and secret of the client from the secret, and where tokens are from the values', () => {
    for (const role of SERVICES) {
      expect(kafkaOf(oauth, role)).toEqual({
        KAFKA_SASL_MECHANISM: 'oauthbearer',
        KAFKA_OAUTH_CLIENT_ID: 'casewatch-kafka/client-id',
        KAFKA_OAUTH_CLIENT_SECRET: 'casewatch-kafka/SECRET',
      });
    }
    expect(kafkaOf(oauth, 'gateway')).toEqual({});
    expect(at(named(oauth, 'ConfigMap', FULL), 'data')).toMatchObject({
      KAFKA_OAUTH_TOKEN_URL: 'https://id.example.com/token',
      KAFKA_OAUTH_SCOPE: 'kafka read',
      KAFKA_SSL: 'true',
    });
  });

  it('lets the services out to the token endpoint, and no other pod', () => {
    const toTokens = ofKind(locked, 'NetworkPolicy').filter((policy) =>
      JSON.stringify(policy).includes('10.9.0.0/24'),
    );
    expect(toTokens.map(({ metadata }) => metadata.name)).toEqual([`${FULL}-data`]);
    expect(at(toTokens[0], 'spec', 'egress')).toContainEqual({
      to: [{ ipBlock: { cidr: '10.9.0.0/24' } }],
      ports: [
        { protocol: 'TCP', port: 8443 },
        { protocol: 'TCP', port: 443 },
      ],
    });
    const ways = at(named(certified, 'NetworkPolicy', `${FULL}-data`), 'spec', 'egress');
    expect(JSON.stringify(ways)).not.toContain('443');
  });

  it('KEDA asks for tokens where the services do', () => {
    expect(
      at(named(oauth, 'ScaledObject', `${FULL}-cases`), 'spec', 'triggers', 1, 'metadata'),
    ).toMatchObject({
      sasl: 'oauthbearer',
      tls: 'enable',
    });
    expect(named(oauth, 'TriggerAuthentication', `${FULL}-kafka`).spec).toEqual({
      secretTargetRef: [
        { parameter: 'username', name: 'casewatch-kafka', key: 'client-id' },
        { parameter: 'password', name: 'casewatch-kafka', key: 'SECRET' },
        { parameter: 'ca', name: 'casewatch-ca', key: 'ca.crt' },
      ],
      configMapTargetRef: [
        { parameter: 'oauthTokenEndpointUri', name: FULL, key: 'KAFKA_OAUTH_TOKEN_URL' },
        { parameter: 'scopes', name: FULL, key: 'KAFKA_OAUTH_SCOPE' },
      ],
    });
  });

  it.each([
    [{ 'secrets.kafka.name': '' }, /secrets\.kafka\.name: .*client-id and client-secret/],
    [{ 'kafka.oauth.tokenUrl': '' }, /kafka\.oauth\.tokenUrl: where/],
    [{ 'kafka.oauth.tokenUrl': 'http://id.example.com/token' }, /tokenUrl/],
    [{ 'kafka.tls': 'false' }, /kafka\.tls: .*oauthbearer/],
    [{ 'kafka.saslMechanism': 'plain' }, /kafka\.oauth: only with/],
    [{ 'kafka.oauth.tokenUrl': '', 'kafka.saslMechanism': '' }, /kafka\.oauth: only with/],
  ])('refuses half of it: %o', async (set, place) => {
    expect(await refused({ ...OAUTH, 'secrets.kafka.name': 'casewatch-kafka', ...set })).toMatch(place);
  });
});

describe('a client certificate', () => {
  it('is read from the secret by each service and by KEDA, with or without SASL', async () => {
    const certificate = {
      KAFKA_SSL_CERT: '/etc/casewatch/kafka/tls.crt',
      KAFKA_SSL_KEY: '/etc/casewatch/kafka/tls.key',
    };
    const mount = { name: 'kafka-certificate', mountPath: '/etc/casewatch/kafka', readOnly: true };
    for (const role of SERVICES) {
      expect(kafkaOf(certified, role)).toEqual(certificate);
      const spec = podSpec(named(certified, 'Deployment', `${FULL}-${role}`));
      expect(at(spec, 'containers', 0, 'volumeMounts')).toContainEqual(mount);
      // As files, which Kubernetes renews: without a restart they are shown from the next connection on.
      expect(at(spec, 'volumes')).toContainEqual({
        name: 'kafka-certificate',
        secret: {
          secretName: 'casewatch-kafka-tls',
          defaultMode: 0o440,
          items: [
            { key: 'tls.crt', path: 'tls.crt' },
            { key: 'user.key', path: 'tls.key' },
          ],
        },
      });
    }
    expect(kafkaOf(certified, 'gateway')).toEqual({});
    const gateway = podSpec(named(certified, 'Deployment', `${FULL}-gateway`));
    expect(JSON.stringify(gateway)).not.toContain('kafka-certificate');
    expect(named(certified, 'TriggerAuthentication', `${FULL}-kafka`).spec).toEqual({
      secretTargetRef: [
        { parameter: 'cert', name: 'casewatch-kafka-tls', key: 'tls.crt' },
        { parameter: 'key', name: 'casewatch-kafka-tls', key: 'user.key' },
        { parameter: 'ca', name: 'casewatch-ca', key: 'ca.crt' },
      ],
    });
    const both = await renderChart(['large'], CERTIFICATE);
    expect(Object.keys(kafkaOf(both, 'cases'))).toEqual([
      'KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_USERNAME',
      'KAFKA_SASL_PASSWORD',
      'KAFKA_SSL_CERT',
      'KAFKA_SSL_KEY',
    ]);
  });

  it('is refused where the brokers are not spoken to over TLS', async () => {
    expect(await refused({ ...CERTIFICATE, 'kafka.tls': 'false' })).toContain(
      'kafka.tls: secrets.kafkaCertificate',
    );
    expect(await refused(CERTIFICATE)).toBe('');
  });
});

it.each(['KAFKA_OAUTH_CLIENT_SECRET', 'KAFKA_SSL_KEY'])('refuses %s among the settings', async (name) => {
  expect(await refused({ [`settings.${name}`]: 'plainly-visible' })).toMatch(name);
});

it('takes the examples of docs/data-stores.md', async () => {
  const page = readFileSync(path.join(chartFolder, '../../docs/data-stores.md'), 'utf8');
  const chapter = page.slice(page.indexOf('\n## Sign in to Kafka'));
  const examples = [...chapter.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
  expect(examples).toHaveLength(2);
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-examples-'));
  try {
    for (const example of examples) {
      const file = path.join(folder, 'values.yaml');
      writeFileSync(file, example);
      const words = ['template', 'r', chartFolder, ...valueWords(['locked-down']), '-f', file];
      expect(await helm(words)).toMatch(/KAFKA_(SSL_KEY|OAUTH_TOKEN_URL)/);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
