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
  TOPIC_AUTHORIZATION_FAILED: NO_RIGHTS,
  GROUP_AUTHORIZATION_FAILED: NO_RIGHTS,
  CLUSTER_AUTHORIZATION_FAILED: NO_RIGHTS,
  INVALID_SESSION_TIMEOUT: NO_SUCH_SETTING,
  INVALID_GROUP_ID: NO_SUCH_SETTING,
  INVALID_TOPIC_EXCEPTION: NO_SUCH_SETTING,
};

/**
 * The refusal in an error of kafkajs, also below its causes. Undefined for transient errors: an unavailable broker or
 * coordinator, too few brokers for a topic's replicas, and whatever else kafkajs calls "not retriable".
 */
export function refusalOf(error: unknown): KafkaRefusal | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (cause.name === 'KafkaJSSASLAuthenticationError') return NO_SIGN_IN;
    const known = 'type' in cause && typeof cause.type === 'string' ? BY_TYPE[cause.type] : undefined;
    if (known) return known;
    if ('errors' in cause && Array.isArray(cause.errors)) {
      const first = cause.errors.map(refusalOf).find((refusal) => refusal !== undefined);
      if (first) return first;
    }
  }
  return undefined;
}
