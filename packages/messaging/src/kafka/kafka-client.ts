import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { reportBrokerRefusals, silenceNegativeTimers } from './kafkajs-patches.ts';
import { type OAuthClient, oauthBearer } from './oauth-bearer.ts';

export interface KafkaConnection {
  /** `host:port` of some brokers; they name the others. */
  brokers: readonly string[];
  clientId: string;
  /** TLS with the machine's authorities, or with those given as PEM; with a certificate of this client, where one is given. */
  ssl?: boolean | { ca?: string; cert?: string; key?: string };
  sasl?: SignIn;
}

export type SignIn =
  | { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
  | ({ mechanism: 'oauthbearer' } & OAuthClient);

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
const REPEAT_AFTER_MS = 60_000;
const MAX_LOGGED_MESSAGES = 1_000;

/** Creates a client whose own log goes to `logger`; nothing is connected yet. */
export function createKafkaClient(
  connection: KafkaConnection,
  logger: Logger,
  clock: Clock = systemClock,
): Kafka {
  silenceNegativeTimers();
  reportBrokerRefusals();
  const { ssl, sasl } = connection;
  const secure: Pick<KafkaConfig, 'ssl' | 'sasl'> = {};
  if (ssl) secure.ssl = ssl;
  if (sasl) secure.sasl = signIn(sasl, clock);
  return new Kafka({
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Beyond these, our own loops retry without limit.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.WARN,
    logCreator: () => toLogger(logger),
    ...secure,
  });
}

function signIn(sasl: SignIn, clock: Clock): NonNullable<KafkaConfig['sasl']> {
  if (sasl.mechanism === 'oauthbearer') return oauthBearer(sasl, clock);
  const { username, password } = sasl;
  // The client's type has one member per mechanism.
  if (sasl.mechanism === 'plain') return { mechanism: sasl.mechanism, username, password };
  if (sasl.mechanism === 'scram-sha-256') return { mechanism: sasl.mechanism, username, password };
  return { mechanism: sasl.mechanism, username, password };
}

/**
 * Logs all of kafkajs' messages as warnings, since it also calls transient failures errors; permanent ones are recognized
 * by `refusalOf`. The same message is logged at most once a minute: kafkajs repeats it for every retried request.
 */
function toLogger(logger: Logger) {
  const loggedMs = new Map<string, number>();
  return ({ log }: { log: { message: string; [extra: string]: unknown } }) => {
    const { message, timestamp: _time, logger: _name, stack: _stack, error, ...rest } = log;
    const nowMs = performance.now();
    const isNew = nowMs - (loggedMs.get(message) ?? Number.NEGATIVE_INFINITY) > REPEAT_AFTER_MS;
    if (isNew) loggedMs.set(message, nowMs);
    if (loggedMs.size > MAX_LOGGED_MESSAGES) loggedMs.clear();
    logger[isNew ? 'warn' : 'debug'](
      { ...rest, ...(error ? { reason: String(error) } : {}) },
      `kafkajs: ${message}`,
    );
  };
}
