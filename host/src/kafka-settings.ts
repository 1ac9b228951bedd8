import type { KafkaConnection } from '@casewatch/messaging/kafka/kafka-client';
import {
  flag,
  integer,
  SettingsError,
  type SettingsOf,
  setting,
} from '@casewatch/service-kit/settings/settings';
import { z } from 'zod';

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** How the event bus reaches Kafka, when there is one. */
export const kafkaSettings = {
  KAFKA_BROKERS: setting(
    z
      .string()
      .regex(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, 'must be host:port, or several with commas between')
      .optional(),
    {
      description:
        'Kafka brokers, `host:port` with commas between. Needed when the services run apart; unset in one process: events stay in PostgreSQL.',
    },
  ),
  KAFKA_TOPIC_PREFIX: setting(
    z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'must be up to 100 letters, digits, dots, dashes, underscores')
      .default('casewatch.'),
    { description: 'Begins the name of every topic and consumer group.' },
  ),
  KAFKA_PARTITIONS: setting(integer(1, 1_000).default(6), {
    description:
      'Partitions of a topic that the product makes: as many replicas of a service share its work.',
  }),
  KAFKA_REPLICATION: setting(integer(-1, 10).default(-1), {
    description: 'Copies of a topic that the product makes; -1: what the brokers do by default.',
  }),
  KAFKA_MIN_IN_SYNC_REPLICAS: setting(integer(1, 10).optional(), {
    description:
      'Copies that must have an event before it counts as published, of a topic that the product makes; below KAFKA_REPLICATION, or one broker that is down stops publishing. Unset: what the brokers do by default.',
  }),
  KAFKA_SSL: setting(flag().default(false), { description: 'Whether to speak TLS with the brokers.' }),
  KAFKA_SSL_CA: setting(z.string().optional(), {
    description: "PEM of the authority that signed the brokers' certificates; unset: those Node knows.",
  }),
  KAFKA_SASL_MECHANISM: setting(z.enum(SASL_MECHANISMS).optional(), {
    description: 'How to sign in to the brokers: `plain`, `scram-sha-256` or `scram-sha-512`.',
  }),
  KAFKA_SASL_USERNAME: setting(z.string().optional(), { description: 'User at the brokers.' }),
  KAFKA_SASL_PASSWORD: setting(z.string().optional(), {
    description: 'Password at the brokers.',
    secret: true,
  }),
};

type KafkaSettings = SettingsOf<typeof kafkaSettings>;

/** Undefined when no brokers are set. @throws SettingsError when what is set does not go together */
export function kafkaConnectionOf(settings: KafkaSettings): Omit<KafkaConnection, 'clientId'> | undefined {
  const { KAFKA_BROKERS: brokers, KAFKA_SSL_CA: ca } = settings;
  if (!brokers) return undefined;
  const sasl = saslOf(settings);
  requireSpareReplica(settings);
  return {
    brokers: brokers.split(','),
    ssl: settings.KAFKA_SSL && ca ? { ca: ca.replaceAll('\\n', '\n') } : settings.KAFKA_SSL,
    ...(sasl ? { sasl } : {}),
  };
}

function requireSpareReplica(settings: KafkaSettings): void {
  const { KAFKA_REPLICATION: copies, KAFKA_MIN_IN_SYNC_REPLICAS: needed } = settings;
  if (needed && needed > 1 && copies > 0 && needed >= copies) {
    throw new SettingsError([
      'KAFKA_MIN_IN_SYNC_REPLICAS: must be below KAFKA_REPLICATION, or one broker that is down stops publishing',
    ]);
  }
}

function saslOf(settings: KafkaSettings): KafkaConnection['sasl'] {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = settings;
  if (!mechanism) return undefined;
  if (!KAFKA_SASL_USERNAME || !KAFKA_SASL_PASSWORD) {
    throw new SettingsError(['KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD']);
  }
  const account = { username: KAFKA_SASL_USERNAME, password: KAFKA_SASL_PASSWORD };
  if (mechanism === 'plain') return { mechanism, ...account };
  // The client's type has one member per mechanism.
  return mechanism === 'scram-sha-256' ? { mechanism, ...account } : { mechanism, ...account };
}
