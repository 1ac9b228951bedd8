import { startTestCluster } from '@casewatch/testing/test-cluster';
import type { TestProject } from 'vitest/node';
import { registry } from './host/src/registry.ts';

/** One PostgreSQL for the whole run; each test file gets a database of its own from the migrated template. */
export default async function setup(project: TestProject) {
  const cluster = await startTestCluster(registry);
  project.provide('ownerUrl', cluster.ownerUrl);
  return () => cluster.stop();
}
