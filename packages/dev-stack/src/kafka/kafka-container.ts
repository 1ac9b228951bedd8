import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';
import {
  kafkaServerSettings,
  type OwnKafkaOptions,
  type OwnTestKafka,
  waitForKafka,
} from './kafka-server.ts';

const IMAGE = 'apache/kafka:4.3.1';

/** Starts the official image in a container; undefined where no container engine answers. */
export async function startKafkaContainer(options: OwnKafkaOptions = {}): Promise<OwnTestKafka | undefined> {
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  if (!engine) return undefined;
  // A broker advertises its address to clients, so the port must be known before it starts.
  const port = await freePort();
  const { host } = engine.info.containerRuntime;
  const reached = options.behind ? `127.0.0.1:${await options.behind({ host, port })}` : `${host}:${port}`;
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts({ container: port, host: port })
    .withEnvironment({
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_NODE_ID: '1',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${reached}`,
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      KAFKA_BROKER_SESSION_TIMEOUT_MS: '1000',
      KAFKA_BROKER_HEARTBEAT_INTERVAL_MS: '200',
      ...Object.fromEntries(
        Object.entries(kafkaServerSettings(options)).map(([name, value]) => [
          `KAFKA_${name.replaceAll('.', '_').toUpperCase()}`,
          value,
        ]),
      ),
    })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const brokers = [reached];
  await waitForKafka(brokers, options);
  const raw = engine.container.getById(container.getId());
  return {
    brokers,
    stop: async () => {
      await container.stop();
    },
    kill: async () => {
      await raw.kill();
    },
    restart: async () => {
      await raw.start();
      await waitForKafka(brokers, options);
    },
  };
}
