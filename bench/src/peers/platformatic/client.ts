import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installNpmPackages } from '@casewatch/dev-stack/tools/npm-packages';

const pinned = fileURLToPath(new URL('../../../peers/platformatic/', import.meta.url));

/** What is used of @platformatic/kafka, with keys, values and headers as texts. */
export interface PlatformaticKafka {
  readonly Producer: new (options: object) => PlatformaticProducer;
  readonly Consumer: new (options: object) => PlatformaticConsumer;
  readonly stringSerializers: object;
  readonly stringDeserializers: object;
  /** Chooses the partition that kafkajs and Java clients choose. */
  readonly compatibilityPartitioner: unknown;
}

export interface PlatformaticProducer {
  /** Resolves when the brokers have all of them. */
  send(options: { messages: readonly object[] }): Promise<unknown>;
  close(force?: boolean): Promise<void>;
}

export interface PlatformaticConsumer {
  readonly assignments: readonly { topic: string; partitions: readonly number[] }[] | null;
  on(event: 'consumer:group:join', listener: () => void): void;
  consume(options: object): Promise<PlatformaticStream>;
  /** `offset` is that of the next message to read. */
  commit(options: {
    offsets: { topic: string; partition: number; offset: bigint; leaderEpoch: number }[];
  }): Promise<void>;
  close(force?: boolean): Promise<void>;
}

export interface PlatformaticStream {
  on(event: 'data', listener: (message: PlatformaticMessage) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export interface PlatformaticMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly leaderEpoch: number;
  readonly key: string;
  readonly value: string;
  readonly headers: ReadonlyMap<string, string>;
}

/** Loads the client that `bench/peers/platformatic` pins from the user's cache; it is no dependency of the product. */
export async function loadPlatformaticKafka(): Promise<PlatformaticKafka> {
  const folder = await installNpmPackages({ program: 'Platformatic-Kafka', pinned });
  return import(pathToFileURL(path.join(folder, 'node_modules/@platformatic/kafka/dist/index.js')).href);
}
