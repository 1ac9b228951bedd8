import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { startKafkaFromMaven } from '@casewatch/dev-stack/kafka/kafka-from-maven';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { MACHINE_ADDRESS } from './machine.ts';

export interface OutsideServices {
  /** As pods reach it. */
  readonly ownerUrl: string;
  readonly brokers: string;
  readonly redisUrl: string;
  readonly ports: { database: number; kafka: number; redis: number };
  stop(): Promise<void>;
}

/** Starts real PostgreSQL, Kafka and Redis on the machine, outside the cluster, at the address by which pods reach it. */
export async function startOutsideServices(): Promise<OutsideServices> {
  const started: { stop(): Promise<unknown> }[] = [];
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    const postgres = await startOwnTestPostgres();
    started.push(postgres);
    const redis = await startOwnTestRedis();
    started.push(redis);
    const kafka = await startKafkaFromMaven({ host: MACHINE_ADDRESS });
    started.push(kafka);
    const ownerUrl = new URL(postgres.ownerUrl());
    const redisUrl = new URL(redis.url);
    for (const url of [ownerUrl, redisUrl]) {
      const door = await openDoor(Number(url.port));
      started.push(door);
      url.hostname = MACHINE_ADDRESS;
      url.port = String(door.port);
    }
    const [, kafkaPort] = (kafka.brokers[0] ?? '').split(':');
    const ports = { database: Number(ownerUrl.port), kafka: Number(kafkaPort), redis: Number(redisUrl.port) };
    return { ownerUrl: ownerUrl.href, brokers: kafka.brokers.join(), redisUrl: redisUrl.href, ports, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What listens on loopback only, at the pods' side too. */
async function openDoor(target: number): Promise<{ port: number; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const inside = dial(target, '127.0.0.1');
    for (const [from, to] of [
      [client, inside],
      [inside, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true).pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, MACHINE_ADDRESS);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
