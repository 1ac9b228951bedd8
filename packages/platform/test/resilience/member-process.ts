import { setTimeout as delay } from 'node:timers/promises';
import { userLoggedIn } from '@casewatch/contracts/events';
import { pino } from 'pino';
import { defineHandler } from '../../src/events/event-bus.ts';
import { startInProcessBus } from '../../src/events/in-process-bus.ts';
import { systemClock } from '../../src/runtime/clock.ts';

/** A process of its own that runs the bus until it is killed. Arguments: URL of the source, URL of the group. */
const [source = '', group = ''] = process.argv.slice(2);
await startInProcessBus({
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
