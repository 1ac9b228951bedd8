import { startKafkaContainer } from './kafka-container.ts';
import { kafkaFromMavenProblems, startKafkaFromMaven } from './kafka-from-maven.ts';
import type { OwnKafkaOptions, OwnTestKafka, TestKafka } from './kafka-server.ts';

/**
 * Starts a real Kafka: the one at `KAFKA_BROKERS` (comma-separated), else a broker of our own.
 * @throws when none can be had, saying how to get one.
 */
export async function startTestKafka(): Promise<TestKafka> {
  const given = process.env.KAFKA_BROKERS;
  if (given) return { brokers: given.split(','), stop: async () => undefined };
  return startOwnTestKafka();
}

/** Starts a broker in a container where an engine answers, else one from Maven's jars. @throws as `startTestKafka`. */
export async function startOwnTestKafka(options: OwnKafkaOptions = {}): Promise<OwnTestKafka> {
  const container = options.javaOptions ? undefined : await startKafkaContainer(options);
  if (container) return container;
  const problems = await kafkaFromMavenProblems();
  if (problems.length === 0) return startKafkaFromMaven(options);
  throw new Error(
    `A Kafka broker is needed: start Docker, or install Maven and Java 17 or newer, or set KAFKA_BROKERS to host:port of a broker whose topics may be filled. Tried: no container engine answers; ${problems.join('; ')}.`,
  );
}
