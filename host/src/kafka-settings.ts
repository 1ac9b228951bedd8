import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { KafkaConnection, SignIn } from '@casewatch/messaging/kafka/kafka-client';
import {
  flag,
  integer,
  SettingsError,
  type SettingsOf,
  setting,
} from '@casewatch/service-kit/settings/settings';
import { secureUrl } from '@casewatch/service-kit/settings/shared-settings';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { z } from 'zod';

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

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
  KAFKA_SSL_CERT: setting(z.string().optional(), {
    description:
      'PEM of the certificate (and those between it and its authority) by which the brokers know this client, or the path of a file with it, which is read again for each connection; with KAFKA_SSL_KEY. Unset: none.',
  }),
  KAFKA_SSL_KEY: setting(z.string().optional(), {
    description: 'PEM of the private key of KAFKA_SSL_CERT, or the path of a file with it.',
    secret: true,
  }),
  KAFKA_SASL_MECHANISM: setting(z.enum(SASL_MECHANISMS).optional(), {
    description: 'How to sign in to the brokers: `plain`, `scram-sha-256`, `scram-sha-512` or `oauthbearer`.',
  }),
  KAFKA_SASL_USERNAME: setting(z.string().optional(), { description: 'User at the brokers.' }),
  KAFKA_SASL_PASSWORD: setting(z.string().optional(), {
    description: 'Password at the brokers.',
    secret: true,
  }),
  KAFKA_OAUTH_TOKEN_URL: setting(secureUrl().optional(), {
    description:
      "Token endpoint of the team's OAuth provider, for `oauthbearer`: it is asked with the grant `client_credentials`.",
  }),
  KAFKA_OAUTH_CLIENT_ID: setting(z.string().optional(), {
    description: 'What the provider calls this client.',
  }),
  KAFKA_OAUTH_CLIENT_SECRET: setting(z.string().optional(), {
    description: 'Its secret at the provider (`client_secret_basic`).',
    secret: true,
  }),
  KAFKA_OAUTH_SCOPE: setting(z.string().optional(), {
    description: 'Scopes to ask for, with spaces between. Unset: those that the provider gives by itself.',
  }),
};

type KafkaSettings = SettingsOf<typeof kafkaSettings>;

/** Returns undefined when no brokers are set. @throws SettingsError when what is set does not go together */
export function kafkaConnectionOf(settings: KafkaSettings): Omit<KafkaConnection, 'clientId'> | undefined {
  const { KAFKA_BROKERS: brokers } = settings;
  if (!brokers) return undefined;
  const sasl = saslOf(settings);
  requireSpareReplica(settings);
  return { brokers: brokers.split(','), ssl: sslOf(settings), ...(sasl ? { sasl } : {}) };
}

function sslOf(settings: KafkaSettings): NonNullable<KafkaConnection['ssl']> {
  const { KAFKA_SSL: ssl, KAFKA_SSL_CA, KAFKA_SSL_CERT, KAFKA_SSL_KEY } = settings;
  const ca = KAFKA_SSL_CA ? { ca: pemOf(KAFKA_SSL_CA) } : {};
  if (!KAFKA_SSL_CERT && !KAFKA_SSL_KEY) return ssl && KAFKA_SSL_CA ? ca : ssl;
  if (!ssl || !KAFKA_SSL_CERT || !KAFKA_SSL_KEY) {
    throw new SettingsError(['KAFKA_SSL_CERT, KAFKA_SSL_KEY: need each other, and KAFKA_SSL=true']);
  }
  const read = () => ({ cert: pemOf(KAFKA_SSL_CERT), key: pemOf(KAFKA_SSL_KEY) });
  try {
    createSecureContext(read());
  } catch {
    throw new SettingsError(['KAFKA_SSL_CERT: must be PEM of the certificate that belongs to KAFKA_SSL_KEY']);
  }
  // The client copies these for each connection: one that is opened after a renewal shows the new certificate.
  return {
    ...ca,
    get cert() {
      return read().cert;
    },
    get key() {
      return read().key;
    },
  };
}

const pemOf = (text: string) =>
  text.startsWith('/') ? readFileSync(text, 'utf8') : text.replaceAll('\\n', '\n');

/** Registers when the certificate of this client expires; for one in a file, of what the file holds now. */
export function measureClientCertificate(meter: Telemetry['meter'], { KAFKA_SSL_CERT }: KafkaSettings): void {
  if (!KAFKA_SSL_CERT) return;
  const name = 'casewatch_client_certificate_expiry_timestamp_seconds';
  readGauges(meter, { [name]: 'When the client certificate expires that brokers are shown.' }, () => ({
    [name]: new X509Certificate(pemOf(KAFKA_SSL_CERT)).validToDate.getTime() / 1_000,
  }));
}

function requireSpareReplica(settings: KafkaSettings): void {
  const { KAFKA_REPLICATION: copies, KAFKA_MIN_IN_SYNC_REPLICAS: needed } = settings;
  if (needed && needed > 1 && copies > 0 && needed >= copies) {
    throw new SettingsError([
      'KAFKA_MIN_IN_SYNC_REPLICAS: must be below KAFKA_REPLICATION, or one broker that is down stops publishing',
    ]);
  }
}

function saslOf(settings: KafkaSettings): SignIn | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = settings;
  if (!mechanism) return undefined;
  if (mechanism === 'oauthbearer') return { mechanism, ...oauthClientOf(settings) };
  if (!KAFKA_SASL_USERNAME || !KAFKA_SASL_PASSWORD) {
    throw new SettingsError(['KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD']);
  }
  return { mechanism, username: KAFKA_SASL_USERNAME, password: KAFKA_SASL_PASSWORD };
}

function oauthClientOf(settings: KafkaSettings) {
  const {
    KAFKA_OAUTH_TOKEN_URL: tokenUrl,
    KAFKA_OAUTH_CLIENT_ID: clientId,
    KAFKA_OAUTH_CLIENT_SECRET: clientSecret,
    KAFKA_OAUTH_SCOPE: scope,
  } = settings;
  if (!tokenUrl || !clientId || !clientSecret) {
    throw new SettingsError([
      'KAFKA_SASL_MECHANISM: oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
    ]);
  }
  return { tokenUrl, clientId, clientSecret, ...(scope ? { scope } : {}) };
}
