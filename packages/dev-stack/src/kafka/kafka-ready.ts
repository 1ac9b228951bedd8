import { silenceNegativeTimers } from '@casewatch/messaging/kafka/request-queue-timers';
import { Kafka, logLevel } from 'kafkajs';
import type { KafkaAccount } from './kafka.ts';

const READY_WITHIN_MS = 60_000;

/** Resolves when a broker lists its topics. @throws with the last error when none does within a minute. */
export async function untilKafkaAnswers(
  brokers: readonly string[],
  options: {
    account?: KafkaAccount | undefined;
    /** What ends the wait early. */
    gaveUp?: () => Error | undefined;
  } = {},
): Promise<void> {
  const { account, gaveUp = () => undefined } = options;
  silenceNegativeTimers();
  const deadline = performance.now() + READY_WITHIN_MS;
  const kafka = new Kafka({
    brokers: [...brokers],
    clientId: 'casewatch-test',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    retry: { retries: 0 },
    ...(account ? { sasl: { mechanism: 'plain', ...account } } : {}),
  });
  for (;;) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      const { brokers: alive } = await admin.describeCluster();
      if (alive.length > 0) return;
    } catch (error) {
      const end = gaveUp() ?? (performance.now() > deadline ? error : undefined);
      if (end) throw end;
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
