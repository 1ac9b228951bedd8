/** A permanent error: the brokers refuse this client, and retrying changes nothing by itself. */
export interface KafkaRefusal {
  /** What to do about it. */
  readonly advice: string;
  /** Whether access can be granted at the brokers while this process waits; otherwise a setting of ours is wrong. */
  readonly canBeGranted: boolean;
}

const NO_SIGN_IN: KafkaRefusal = {
  advice:
    'Kafka does not accept the user name and password, or not this mechanism: correct KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD or the user at the brokers.',
  canBeGranted: true,
};
const NO_CLIENT: KafkaRefusal = {
  advice:
    'The token endpoint does not accept this client: correct KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID, KAFKA_OAUTH_CLIENT_SECRET, KAFKA_OAUTH_SCOPE or the client at the provider.',
  canBeGranted: true,
};
const NO_TOKEN: KafkaRefusal = {
  advice:
    'Kafka does not accept the access token: compare the issuer, audience, scope and keys that the brokers expect with what KAFKA_OAUTH_TOKEN_URL gives, and the clocks of both.',
  canBeGranted: true,
};
const NO_CERTIFICATE: KafkaRefusal = {
  advice:
    'Kafka does not accept the certificate of this client, or there is none: correct KAFKA_SSL_CERT and KAFKA_SSL_KEY or the authorities that the brokers trust.',
  canBeGranted: true,
};
const NO_RIGHTS: KafkaRefusal = {
  advice:
    'Kafka does not allow this user what it needs: Read, Write, Describe and Create for the topics, Read and Describe for the groups whose names begin with KAFKA_TOPIC_PREFIX.',
  canBeGranted: true,
};
const NO_SUCH_SETTING: KafkaRefusal = {
  advice: 'Kafka refuses what the consumer is set to: correct the setting that the error names.',
  canBeGranted: false,
};
const BY_TYPE: Readonly<Record<string, KafkaRefusal>> = {
  SASL_AUTHENTICATION_FAILED: NO_SIGN_IN,
  UNSUPPORTED_SASL_MECHANISM: NO_SIGN_IN,
  OAUTH_CLIENT_REFUSED: NO_CLIENT,
  OAUTH_TOKEN_REFUSED: NO_TOKEN,
  TOPIC_AUTHORIZATION_FAILED: NO_RIGHTS,
  GROUP_AUTHORIZATION_FAILED: NO_RIGHTS,
  CLUSTER_AUTHORIZATION_FAILED: NO_RIGHTS,
  INVALID_SESSION_TIMEOUT: NO_SUCH_SETTING,
  INVALID_GROUP_ID: NO_SUCH_SETTING,
  INVALID_TOPIC_EXCEPTION: NO_SUCH_SETTING,
};

/** Alerts of TLS with which a broker ends a connection because of the client's certificate. */
const CERTIFICATE_ALERT =
  /^ERR_SSL_(?:TLSV1_ALERT|TLSV13_ALERT|SSLV3_ALERT|SSL\/TLS_ALERT)_.*(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/**
 * Returns the refusal in an error of kafkajs, also below its causes. Undefined for transient errors: an unavailable broker or
 * coordinator, too few brokers for a topic's replicas, and whatever else kafkajs calls "not retriable".
 */
export function refusalOf(error: unknown): KafkaRefusal | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (cause.name === 'KafkaJSSASLAuthenticationError') return NO_SIGN_IN;
    const known = 'type' in cause && typeof cause.type === 'string' ? BY_TYPE[cause.type] : undefined;
    if (known) return known;
    if ('code' in cause && typeof cause.code === 'string' && CERTIFICATE_ALERT.test(cause.code)) {
      return NO_CERTIFICATE;
    }
    if ('errors' in cause && Array.isArray(cause.errors)) {
      const first = cause.errors.map(refusalOf).find((refusal) => refusal !== undefined);
      if (first) return first;
    }
  }
  return undefined;
}
