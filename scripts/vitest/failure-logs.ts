import { logsOfProcesses } from '@casewatch/dev-stack/processes/process-logs';
import { beforeEach } from 'vitest';

// In each test file: a test that fails prints what the processes under test have written.
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    const logs = logsOfProcesses();
    if (logs) console.error(logs);
  });
});
