import { beforeAll, describe, expect, it } from 'vitest';
import { renderChart } from '../../src/helm.ts';
import { at, environment, named, ofKind, podSpec } from '../../src/manifest.ts';
import type { Manifest } from '../../src/parse-manifests.ts';

/** The data stores for evaluation, which operators run: what is asked of them, and how the roles sign in to them. */

const SERVICES = ['identity', 'cases', 'monitoring', 'notifications', 'billing', 'surveys', 'admin-log'];
const REDIS_ROLES = ['gateway', 'identity', 'notifications'];
const FULL = 'r-casewatch';
let inside: Manifest[];
beforeAll(async () => {
  inside = await renderChart(['evaluation']);
}, 1_800_000);

const deployment = (role: string) => named(inside, 'Deployment', `${FULL}-${role}`);
const egress = (policy: string, rule: number) =>
  at(named(inside, 'NetworkPolicy', `${FULL}-${policy}`), 'spec', 'egress', rule);

it('nothing of them is there unless it is asked for', async () => {
  const kinds = new Set((await renderChart(['small'])).map(({ kind }) => kind));
  for (const kind of ['Cluster', 'Kafka', 'KafkaNodePool', 'KafkaUser', 'Redis'])
    expect(kinds).not.toContain(kind);
});

it('none of them is a StatefulSet or a secret of the chart', () => {
  expect([...ofKind(inside, 'StatefulSet'), ...ofKind(inside, 'Secret')]).toEqual([]);
});

it('no selector of the release takes their pods for its own, though operators hand labels on', () => {
  const { metadata } = named(inside, 'Redis', `${FULL}-redis`);
  const selector = at(
    named(inside, 'NetworkPolicy', `${FULL}-default-deny`),
    'spec',
    'podSelector',
    'matchLabels',
  );
  expect(metadata.labels).not.toMatchObject(selector as object);
  expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'r' });
});

describe('PostgreSQL', () => {
  it('has a role for each service, whose password is in a secret of its own', () => {
    const roles = at(named(inside, 'Cluster', `${FULL}-postgresql`), 'spec', 'managed', 'roles');
    expect(roles).toEqual(
      SERVICES.toSorted().map((service) => ({
        name: `casewatch_${service.replaceAll('-', '_')}`,
        ensure: 'present',
        login: true,
        inherit: true,
        connectionLimit: -1,
        passwordSecret: { name: `casewatch-database-${service}` },
      })),
    );
  });

  it.each(SERVICES)('%s signs in as its role, with a certificate that is verified', (service) => {
    const env = environment(deployment(service));
    expect(env.DATABASE_PASSWORD).toBe(`casewatch-database-${service}/password`);
    const url = new URL(String(env.DATABASE_URL));
    expect(url.username).toBe(`casewatch_${service.replaceAll('-', '_')}`);
    expect(url.host).toBe(`${FULL}-postgresql-rw:5432`);
    expect(url.searchParams.get('sslmode')).toBe('verify-full');
    const mounts = at(podSpec(deployment(service)), 'containers', 0, 'volumeMounts');
    const folder = url.searchParams.get('sslrootcert')?.replace('/ca.crt', '');
    expect(mounts).toContainEqual({ name: 'postgresql-ca', mountPath: folder, readOnly: true });
  });

  it('is migrated by a Job of the release, as its owner, without making roles', () => {
    const job = ofKind(inside, 'Job')[0];
    expect(job?.metadata.annotations).toBeUndefined();
    expect(job?.metadata.name).toMatch(/-1$/);
    const { DATABASE_PASSWORD, ...env } = environment(job as Manifest);
    expect(DATABASE_PASSWORD).toBe(`${FULL}-postgresql-app/password`);
    expect(Object.keys(env)).toEqual(['LOG_LEVEL', 'DATABASE_URL']);
    const policy = named(inside, 'NetworkPolicy', `${FULL}-migrate`);
    expect(policy.metadata.annotations).toBeUndefined();
  });

  it('is the only database that the policies let out to', () => {
    const peer = { podSelector: { matchLabels: { 'cnpg.io/cluster': `${FULL}-postgresql` } } };
    for (const [policy, rule] of [
      ['data', 0],
      ['migrate', 1],
    ] as const) {
      expect(egress(policy, rule)).toEqual({ to: [peer], ports: [{ protocol: 'TCP', port: 5432 }] });
    }
  });
});

describe('Kafka', () => {
  it('speaks TLS and SCRAM only, with the pods of the release only', () => {
    const listeners = at(named(inside, 'Kafka', `${FULL}-kafka`), 'spec', 'kafka', 'listeners');
    expect(listeners).toMatchObject([
      {
        tls: true,
        authentication: { type: 'scram-sha-512' },
        networkPolicyPeers: [{ podSelector: { matchLabels: { 'app.kubernetes.io/instance': 'r' } } }],
      },
    ]);
  });

  it('is reached by its TLS port as the user that may use topics and groups of the prefix', () => {
    const data = at(named(inside, 'ConfigMap', FULL), 'data');
    expect(data).toMatchObject({
      KAFKA_BROKERS: `${FULL}-kafka-kafka-bootstrap:9093`,
      KAFKA_SSL: 'true',
    });
    expect(environment(deployment('cases'))).toMatchObject({
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: `${FULL}-kafka`,
      KAFKA_SASL_PASSWORD: `${FULL}-kafka/password`,
      KAFKA_SSL_CA: `${FULL}-kafka-cluster-ca-cert/ca.crt`,
    });
    const acls = at(named(inside, 'KafkaUser', `${FULL}-kafka`), 'spec', 'authorization', 'acls');
    expect(Array.isArray(acls) && acls.map((acl) => at(acl, 'resource'))).toEqual([
      { type: 'topic', name: 'casewatch.', patternType: 'prefix' },
      { type: 'group', name: 'casewatch.', patternType: 'prefix' },
    ]);
  });

  it('keeps a copy on each node where there are three', async () => {
    const three = await renderChart(['evaluation'], { 'inCluster.kafka.replicas': '3' });
    expect(at(named(three, 'Kafka', `${FULL}-kafka`), 'spec', 'kafka', 'config')).toMatchObject({
      'default.replication.factor': 3,
      'min.insync.replicas': 2,
    });
  });

  it('gives its pods names of at most 63 characters, however long that of the release is', async () => {
    const long = await renderChart(['evaluation'], { fullnameOverride: 'a'.repeat(60) });
    const [kafka] = ofKind(long, 'Kafka');
    const [pool] = ofKind(long, 'KafkaNodePool');
    expect(`${kafka?.metadata.name}-${pool?.metadata.name}-10`.length).toBeLessThanOrEqual(63);
    expect(`${kafka?.metadata.name}-kafka-bootstrap`.length).toBeLessThanOrEqual(63);
  });

  it('is migrated by Jobs with names of at most 63 characters, also at a thousandth revision', async () => {
    const [migration] = ofKind(
      await renderChart(['evaluation'], { fullnameOverride: 'a'.repeat(60) }),
      'Job',
    );
    const name = migration?.metadata.name ?? '';
    expect(name).toMatch(/-1$/);
    expect(name.replace(/-1$/, '-1000').length).toBeLessThanOrEqual(63);
  });
});

describe('Redis', () => {
  it('asks for the password of the secret, with which those roles come that share something', () => {
    const config = at(named(inside, 'Redis', `${FULL}-redis`), 'spec', 'kubernetesConfig');
    expect(at(config, 'redisSecret')).toEqual({ name: 'casewatch-redis', key: 'password' });
    for (const role of REDIS_ROLES) {
      expect(environment(deployment(role))).toMatchObject({
        REDIS_PASSWORD: 'casewatch-redis/password',
        REDIS_URL: `redis://${FULL}-redis:6379`,
      });
    }
    expect(egress('redis', 0)).toMatchObject({
      to: [{ podSelector: { matchLabels: { app: `${FULL}-redis` } } }],
    });
  });
});
