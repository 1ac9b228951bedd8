import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';

/**
 * Relays the outbox of billing to a sink that acknowledges all it was given at the next turn of the event loop, like a fast
 * broker. Arguments: URL of the module of the relay, URL of the database.
 */
const [relayModule = '', databaseUrl = ''] = process.argv.slice(2);
const { startOutboxRelay }: typeof import('@casewatch/messaging/outbox-relay') = await import(relayModule);
let given: (() => void)[] = [];
const options = {
  service: 'billing' as const,
  databaseUrl,
  clock: systemClock,
  logger: createLogger({ level: 'error', name: 'relay' }),
  retentionMs: 86_400_000,
  window: 1_000,
  /** Of the relay before shards. */
  sweepMs: 5_000,
  dispatch: () =>
    new Promise<void>((resolve) => {
      if (given.push(resolve) === 1) setImmediate(acknowledge);
    }),
};
startOutboxRelay(options);
console.log('started');

function acknowledge(): void {
  const all = given;
  given = [];
  for (const resolve of all) resolve();
}
