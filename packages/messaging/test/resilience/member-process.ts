import { setTimeout as delay } from 'node:timers/promises';
import { userLoggedIn } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';
import { defineHandler } from '../../src/event-bus.ts';
import { startInProcessBus } from '../../src/in-process-bus.ts';

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
