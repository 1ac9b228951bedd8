import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { tellBrokerRefusals } from './broker-refusals.ts';
import { silenceNegativeTimers } from './request-queue-timers.ts';

export interface KafkaConnection {
  /** `host:port` of some brokers; they name the others. */
  brokers: readonly string[];
  clientId: string;
  /** TLS with the machine's authorities, or with those given as PEM. */
  ssl?: boolean | { ca: string };
  sasl?: SASLOptions;
}

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
const SAME_WORDS_MS = 60_000;
const DIFFERENT_WORDS = 1_000;

/** A client whose own log goes to `logger`; nothing is connected yet. */
export function createKafkaClient(connection: KafkaConnection, logger: Logger): Kafka {
  silenceNegativeTimers();
  tellBrokerRefusals();
  const { ssl, sasl } = connection;
  const secure: Pick<KafkaConfig, 'ssl' | 'sasl'> = {};
  if (ssl) secure.ssl = ssl === true ? true : { ca: [ssl.ca] };
  if (sasl) secure.sasl = sasl;
  return new Kafka({
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What is tried again after these is tried again by us, for as long as it takes.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.WARN,
    logCreator: () => toLogger(logger),
    ...secure,
  });
}

/**
 * kafkajs calls errors what mends itself: all of it is a warning here; what does not mend itself is told apart. The same
 * words come once a minute at most, as it would say them for every request that it tries again.
 */
function toLogger(logger: Logger) {
  const saidMs = new Map<string, number>();
  return ({ log }: { log: { message: string; [extra: string]: unknown } }) => {
    const { message, timestamp: _time, logger: _name, stack: _stack, error, ...rest } = log;
    const nowMs = performance.now();
    const isNew = nowMs - (saidMs.get(message) ?? Number.NEGATIVE_INFINITY) > SAME_WORDS_MS;
    if (isNew) saidMs.set(message, nowMs);
    if (saidMs.size > DIFFERENT_WORDS) saidMs.clear();
    logger[isNew ? 'warn' : 'debug'](
      { ...rest, ...(error ? { reason: String(error) } : {}) },
      `kafkajs: ${message}`,
    );
  };
}
