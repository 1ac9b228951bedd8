import { afterEach, expect, test, vi } from 'vitest';
import { runEventsCommand } from './run-events-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

test('in a pod whose secret has the password apart, events sign in with it as the role does', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.stubEnv('DATABASE_URL', 'postgres://casewatch_cases@db.example.com/casewatch');
  vi.stubEnv('DATABASE_PASSWORD', 'p#%@');
  await runEventsCommand(['--help']);
  expect(process.env.DATABASE_URL).toBe('postgres://casewatch_cases:p%23%25%40@db.example.com/casewatch');
});
