import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { type Role, startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import pg from 'pg';
import { registry } from '../../src/registry.ts';

export type ProductWithAccounts = Awaited<ReturnType<typeof startProductWithAccounts>>;

export interface Account {
  username: string;
  password: string;
}

const REDIS_USER = 'casewatch';

/** Every role in two processes, on a PostgreSQL, a Kafka and a Redis of its own that ask for passwords. */
export async function startProductWithAccounts(options: {
  env: Record<string, string>;
  /** Settings of single roles, which win over those of all. */
  roles?: Partial<Record<Role, Record<string, string>>>;
  /** Accounts of Kafka, all of which may sign in; the product begins with the first. */
  kafkaAccounts: readonly [Account, ...Account[]];
  redisPassword: string;
}) {
  const [account, ...moreAccounts] = options.kafkaAccounts;
  const [postgres, redis, kafka] = await Promise.all([
    startOwnTestPostgres(),
    startOwnTestRedis(),
    startOwnTestKafka({ account, moreAccounts }),
  ]);
  const redisAdmin = await connectedRedis(redis.url);
  const acl = (...words: string[]) => redisAdmin.call('ACL', ...words);
  await acl('SETUSER', REDIS_USER, 'on', `>${options.redisPassword}`, '~*', '&*', '+@all');
  const database = new pg.Pool({ connectionString: postgres.ownerUrl(), max: 2 });
  // `end` resolves before the connection is closed, and the server may be stopped by then.
  database.on('error', () => undefined);

  const roles: readonly Role[] = [...registry.map(({ name }) => name), 'gateway'];
  const product = await startProductProcesses({
    services: registry,
    ownerUrl: postgres.ownerUrl(),
    brokers: kafka.brokers,
    redisUrl: redisUrlWith(options.redisPassword),
    roles: Object.fromEntries(roles.map((role) => [role, { replicas: 2, env: options.roles?.[role] ?? {} }])),
    env: { ...options.env, ...kafkaSettingsOf(account) },
  });

  function redisUrlWith(password: string): string {
    const url = new URL(redis.url);
    Object.assign(url, { username: REDIS_USER, password });
    return url.href;
  }

  return {
    url: product.url,
    of: product.of,
    roles,
    ownerUrl: postgres.ownerUrl(),
    /** Runs SQL as the owner. */
    query: async <Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) =>
      (await database.query<Row>(sql, parameters)).rows,
    redis: {
      urlWith: redisUrlWith,
      accept: (password: string) => acl('SETUSER', REDIS_USER, `>${password}`),
      refuse: (password: string) => acl('SETUSER', REDIS_USER, `<${password}`),
      /** Sign-ins that were refused, as Redis keeps them. */
      refusals: () => acl('LOG'),
    },
    stop: async () => {
      await product.stop();
      await database.end();
      redisAdmin.disconnect();
      await Promise.all([postgres.stop(), redis.stop(), kafka.stop()]);
    },
  };
}

/** Settings with which a process signs in to Kafka. */
export const kafkaSettingsOf = ({ username, password }: Account) => ({
  KAFKA_SASL_MECHANISM: 'plain',
  KAFKA_SASL_USERNAME: username,
  KAFKA_SASL_PASSWORD: password,
});
