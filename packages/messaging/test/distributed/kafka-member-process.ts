import { setTimeout as delay } from 'node:timers/promises';
import { userLoggedIn } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { defineHandler } from '../../src/event-bus.ts';
import { startKafkaBus } from '../../src/kafka/kafka-bus.ts';

/** A member that runs until it is killed. Arguments: brokers, topic prefix, URL of the source, URL of the group. */
const [brokers = '', topicPrefix = '', source = '', group = ''] = process.argv.slice(2);
await startKafkaBus({
  brokers: brokers.split(','),
  clientId: 'casewatch-test-member',
  topicPrefix,
  partitions: 3,
  sessionTimeoutMs: 2_000,
  onFatal: () => process.exit(1),
  logger: pino({ level: 'silent' }),
  clock: systemClock,
  sources: [{ service: 'billing', databaseUrl: source }],
  databaseUrlFor: () => group,
  handlers: [
    defineHandler('notifications', userLoggedIn, async ({ userId, loginCount }, meta, tx) => {
      await tx.query('INSERT INTO effects (event_id, key, n) VALUES ($1, $2, $3)', [
        meta.id,
        userId,
        loginCount,
      ]);
      await delay(1);
    }),
  ],
});
