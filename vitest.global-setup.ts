import { openKafkaDesk } from '@casewatch/testing/kafka-desk';
import { startTestCluster } from '@casewatch/testing/test-cluster';
import type { TestProject } from 'vitest/node';
import { registry } from './host/src/registry.ts';

/**
 * One PostgreSQL for the whole run; each test file gets a database of its own from the migrated template. One
 * Kafka too, once a test asks for it.
 */
export default async function setup(project: TestProject) {
  const desk = await openKafkaDesk();
  project.provide('kafkaDesk', desk.url);
  const cluster = await startTestCluster(registry);
  project.provide('ownerUrl', cluster.ownerUrl);
  return async () => {
    await Promise.all([cluster.stop(), desk.stop()]);
  };
}
