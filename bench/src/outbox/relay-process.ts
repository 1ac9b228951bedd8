import { startOutboxRelay } from '@casewatch/messaging/outbox-relay';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';

/**
 * Relays the outbox of billing to a sink that acknowledges all it was given at the next turn of the event loop, like a fast
 * broker. Argument: URL of the database.
 */
let given: (() => void)[] = [];
startOutboxRelay({
  service: 'billing',
  databaseUrl: process.argv[2] ?? '',
  clock: systemClock,
  logger: createLogger({ level: 'error', name: 'relay' }),
  retentionMs: 86_400_000,
  window: 1_000,
  dispatch: () =>
    new Promise<void>((resolve) => {
      if (given.push(resolve) === 1) setImmediate(acknowledge);
    }),
});
console.log('started');

function acknowledge(): void {
  const all = given;
  given = [];
  for (const resolve of all) resolve();
}
