import { startKafkaContainer } from './kafka-container.ts';
import { kafkaFromMavenFaults, startKafkaFromMaven } from './kafka-from-maven.ts';

/** A real Kafka broker. */
export interface TestKafka {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

export interface OwnKafkaOptions {
  /** Told where the broker will be, before it starts; resolves to the port at which its clients are to reach it. */
  behind?: (broker: { host: string; port: number }) => Promise<number>;
  /** Address of this machine to listen on; loopback unless given. Heeded by a broker from Maven's jars. */
  host?: string;
  /** Of the broker besides its own and over them, as in `server.properties`: `offsets.topic.replication.factor` and the like. */
  settings?: Readonly<Record<string, string>>;
  /** Who may sign in, by SASL's PLAIN; nobody else then may. Unset: anybody, without signing in. */
  account?: KafkaAccount;
}

export interface KafkaAccount {
  username: string;
  password: string;
}

/** A broker that is the caller's alone, to be taken away and given back. */
export interface OwnTestKafka extends TestKafka {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same address and data. */
  restart(): Promise<void>;
}

/**
 * A real Kafka: the one at `KAFKA_BROKERS` (comma-separated), else a broker of our own.
 * @throws when none can be had, saying how to get one.
 */
export async function startTestKafka(): Promise<TestKafka> {
  const given = process.env.KAFKA_BROKERS;
  if (given) return { brokers: given.split(','), stop: async () => undefined };
  return startOwnTestKafka();
}

/** A broker in a container where an engine answers, else one from Maven's jars. @throws as `startTestKafka`. */
export async function startOwnTestKafka(options: OwnKafkaOptions = {}): Promise<OwnTestKafka> {
  const container = await startKafkaContainer(options);
  if (container) return container;
  const faults = await kafkaFromMavenFaults();
  if (faults.length === 0) return startKafkaFromMaven(options);
  throw new Error(
    `A Kafka broker is needed: start Docker, or install Maven and Java 17 or newer, or set KAFKA_BROKERS to host:port of a broker whose topics may be filled. Tried: no container engine answers; ${faults.join('; ')}.`,
  );
}
