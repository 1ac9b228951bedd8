import { connect } from 'node:net';
import path from 'node:path';
import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import type { hostSettings } from '@casewatch/host/config';
import type { DataFolder } from '@casewatch/host/data-folder';
import type { Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import type { SettingsOf } from '@casewatch/service-kit/settings/settings';

export interface BackingParts {
  /** PostgreSQL as the owner of the schemas. */
  readonly ownerUrl: string;
  readonly brokers: readonly string[];
  readonly redisUrl: string;
  /** Kafka began empty: what was sent to the one before may not have been read. */
  readonly kafkaIsNew: boolean;
  /** Those that are our own. */
  readonly started: readonly string[];
}

export interface BackingPartsOptions {
  settings: SettingsOf<typeof hostSettings>;
  folder: DataFolder;
  lifecycle: Lifecycle;
  say(line: string): void;
  /** A part has ended for good. */
  fail(what: string): void;
}

const LOOK_EVERY_MS = 2_000;
/** All roles together hold more connections than one process does. */
const DATABASE_CONNECTIONS = 400;

/**
 * Finds PostgreSQL, Kafka and Redis: each the one of the settings, else one of our own that ends with us. Our PostgreSQL
 * keeps its data in the folder. @throws when one can't be had, saying how to get it.
 */
export async function findBackingParts(options: BackingPartsOptions): Promise<BackingParts> {
  const { settings, folder, lifecycle, say, fail } = options;
  // Side by side: Kafka takes a while.
  const [ownerUrl, kafka, redis] = await Promise.all([
    settings.DATABASE_URL ?? startPostgres(),
    settings.KAFKA_BROKERS ? undefined : startKafka(),
    settings.REDIS_URL ? undefined : startRedis(),
  ]);
  return {
    ownerUrl,
    brokers: kafka?.brokers ?? settings.KAFKA_BROKERS?.split(',') ?? [],
    redisUrl: redis?.url ?? settings.REDIS_URL ?? '',
    kafkaIsNew: kafka !== undefined,
    started: [
      ...(settings.DATABASE_URL ? [] : ['PostgreSQL']),
      ...(kafka ? ['Kafka'] : []),
      ...(redis ? ['Redis'] : []),
    ],
  };

  async function startPostgres(): Promise<string> {
    say('  starting PostgreSQL …');
    const dataDir = path.join(folder.path, 'postgres');
    const starting = startEmbeddedPostgres({
      dataDir,
      password: folder.secrets.databasePassword,
      serverSettings: [`max_connections=${DATABASE_CONNECTIONS}`],
      onStep: (step) => say(`  ${step} …`),
      onUnexpectedExit: (output) => fail(`PostgreSQL ended unexpectedly. ${output}\n`),
    });
    // Before it has started: a stop may come first.
    lifecycle.add({
      name: 'PostgreSQL',
      stop: async () => (await starting.catch(() => undefined))?.stop(),
    });
    return (await starting).ownerUrl;
  }

  async function startKafka() {
    say('  starting Kafka (the first start brings it) …');
    const kafka = await startOwnTestKafka();
    const watch = restartWhenExited('Kafka', `kafka://${kafka.brokers[0]}`, kafka.restart);
    lifecycle.add({ name: 'Kafka', stop: () => watch.end().then(kafka.stop) });
    return kafka;
  }

  async function startRedis() {
    say('  starting Redis …');
    const redis = await startOwnTestRedis();
    const watch = restartWhenExited('Redis', redis.url, redis.restart);
    lifecycle.add({ name: 'Redis', stop: () => watch.end().then(redis.stop) });
    return redis;
  }

  /** Probes the port; starts the part again when nothing listens there. */
  function restartWhenExited(name: string, address: string, restart: () => Promise<void>) {
    let ended = false;
    let wake = () => {};
    const watching = (async () => {
      while (!ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, LOOK_EVERY_MS).unref();
        });
        if (ended || (await listens(new URL(address)))) continue;
        say(`  ${name} has ended; starting it again …`);
        await restart().then(
          () => say(`  ${name} runs again.`),
          (error: Error) => say(`  ${name} could not be started again: ${error.message}`),
        );
      }
    })();
    return {
      async end(): Promise<void> {
        ended = true;
        wake();
        await watching;
      },
    };
  }
}

function listens({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Anything but a plain refusal may pass by itself.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
