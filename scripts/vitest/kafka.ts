import { startTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { shareServer } from '@casewatch/testing/shared-server';
import type { TestProject } from 'vitest/node';

/** One Kafka for the whole run; each test has topics and groups of its own. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const shared = await shareServer(startTestKafka, ({ brokers }) => brokers.join());
  provide('sharedKafka', shared.url);
  return shared.stop;
}
