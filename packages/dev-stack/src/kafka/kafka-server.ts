import { silenceNegativeTimers } from '@casewatch/messaging/kafka/kafkajs-patches';
import { Kafka, logLevel } from 'kafkajs';

const READY_WITHIN_MS = 60_000;

/** A real Kafka broker. */
export interface TestKafka {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

export interface OwnKafkaOptions {
  /** Called with the broker's address before it starts; resolves to the port at which clients reach it. */
  behind?: (broker: { host: string; port: number }) => Promise<number>;
  /** Address of this machine to listen on; loopback unless given. Respected by a broker from Maven's jars. */
  host?: string;
  /** Of the broker besides its own and over them, as in `server.properties`: `offsets.topic.replication.factor` and the like. */
  settings?: Readonly<Record<string, string>>;
  /** The account that may sign in, by SASL's PLAIN. Unset: no sign-in is needed. */
  account?: KafkaAccount;
  /** Those that may besides, with the same rights. */
  moreAccounts?: readonly KafkaAccount[];
  /** Key and certificate, as PEM, by which the broker speaks TLS; unset: it does not. */
  tls?: KafkaTls;
  /** Options of its Java. Such a broker is made from Maven's jars, also where containers run, so that it reaches this machine's loopback. */
  javaOptions?: readonly string[];
}

export interface KafkaTls {
  key: string;
  cert: string;
  /** Certificates of clients, of which the broker then demands one; unset: it demands none. */
  clients?: readonly string[];
}

export interface KafkaAccount {
  username: string;
  password: string;
}

/** A broker of the caller's own, to be killed and restarted. */
export interface OwnTestKafka extends TestKafka {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same address and data. */
  restart(): Promise<void>;
}

/** Returns the settings of a broker beyond the common ones: names and values as in `server.properties`. */
export function kafkaServerSettings(options: OwnKafkaOptions): Record<string, string> {
  const { settings = {}, account, moreAccounts = [], tls } = options;
  const protocol = `${account ? 'SASL_' : ''}${tls ? 'SSL' : 'PLAINTEXT'}`;
  return {
    // Its only listener for clients has the name of its old protocol.
    ...(account || tls
      ? {
          'listener.security.protocol.map': `PLAINTEXT:${protocol},CONTROLLER:PLAINTEXT`,
          'inter.broker.listener.name': 'PLAINTEXT',
        }
      : {}),
    ...(account ? signedIn(account, moreAccounts) : {}),
    ...(tls ? encrypted(tls) : {}),
    ...settings,
  };
}

function signedIn(account: KafkaAccount, more: readonly KafkaAccount[]): Record<string, string> {
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  const known = [account, ...more].map(({ username, password }) => `user_${username}="${password}"`);
  return {
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.plaintext.plain.sasl.jaas.config': `${login} username="${account.username}" password="${account.password}" ${known.join(' ')};`,
  };
}

function encrypted({ key, cert, clients }: KafkaTls): Record<string, string> {
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.key': onOneLine(key),
    'ssl.keystore.certificate.chain': onOneLine(cert),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.certificates': onOneLine([cert, ...(clients ?? [])].join('\n')),
    ...(clients ? { 'ssl.client.auth': 'required' } : {}),
  };
}

/** As `server.properties` has a text of several lines. */
const onOneLine = (text: string) => text.trim().replaceAll('\n', '\\n');

/** Resolves when a broker lists its topics. @throws with the last error when none does within a minute. */
export async function waitForKafka(
  brokers: readonly string[],
  options: {
    account?: KafkaAccount | undefined;
    tls?: KafkaTls | undefined;
    /** Returns an error to end the wait early. */
    exited?: () => Error | undefined;
  } = {},
): Promise<void> {
  const { account, tls, exited = () => undefined } = options;
  silenceNegativeTimers();
  const deadline = performance.now() + READY_WITHIN_MS;
  const kafka = new Kafka({
    brokers: [...brokers],
    clientId: 'casewatch-test',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    retry: { retries: 0 },
    ...(account ? { sasl: { mechanism: 'plain', ...account } } : {}),
    ...(tls ? { ssl: { ca: tls.cert, cert: tls.cert, key: tls.key } } : {}),
  });
  for (;;) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      const { brokers: alive } = await admin.describeCluster();
      if (alive.length > 0) return;
    } catch (error) {
      const end = exited() ?? (performance.now() > deadline ? error : undefined);
      if (end) throw end;
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
