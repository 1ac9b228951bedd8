import { shareServer } from '@casewatch/testing/shared-server';
import { startTestCluster } from '@casewatch/testing/test-cluster';
import type { TestProject } from 'vitest/node';

/** One PostgreSQL for the whole run; each test file gets a database of its own from the migrated template. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const start = async () => {
    const { registry } = await import('../../host/src/registry.ts');
    return startTestCluster(registry);
  };
  const shared = await shareServer(start, ({ ownerUrl }) => ownerUrl);
  provide('sharedDatabase', shared.url);
  return shared.stop;
}
