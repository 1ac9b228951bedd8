import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { TestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import type { TestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { registry } from '@casewatch/host/registry';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { urlSettingOf } from '@casewatch/service-kit/settings/settings';
import { TEST_ROLE_SECRET } from '@casewatch/testing/test-cluster';

/** Nothing listens there: an idle role calls nothing. */
const NOWHERE = 'http://127.0.0.1:1';

/** The settings that every role has, and those of each, as the chart gives them. */
export function environmentsOf(parts: { ownerUrl: string; kafka: TestKafka; redis: TestRedis }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const shared = {
    TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
    KAFKA_BROKERS: parts.kafka.brokers.join(),
    KAFKA_TOPIC_PREFIX: `bench-${randomBytes(6).toString('hex')}.`,
    REDIS_URL: parts.redis.url,
    AGENCY_BASE_URL: NOWHERE,
    AGENCY_CLIENT_ID: 'bench',
    AGENCY_CLIENT_SECRET: 'bench',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    STRIPE_API_BASE: NOWHERE,
    LOG_LEVEL: 'warn',
  };
  const addresses = Object.fromEntries(registry.map(({ name }) => [urlSettingOf(name), NOWHERE]));
  const roles = new Map<string, Record<string, string>>([
    ['gateway', { ...shared, ...addresses, SERVICES: 'gateway', NODE_OPTIONS: '--max-semi-space-size=16' }],
    ...registry.map(({ name }): [string, Record<string, string>] => [
      name,
      {
        ...shared,
        ...addresses,
        SERVICES: name,
        DATABASE_URL: serviceUrl(parts.ownerUrl, name, TEST_ROLE_SECRET),
      },
    ]),
  ]);
  return { shared, roles };
}
