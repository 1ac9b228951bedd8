import { accountMailRequested } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { PushFanOut } from '@casewatch/messaging/push/push-fan-out';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { queueAccountMail } from '../data/queue-deliveries.ts';

/** Queues the e-mail, once per request, and signals the job that sends it. `byEmail`: whether e-mails are sent here. */
export function onAccountMailRequested({
  push,
  clock,
  byEmail,
}: {
  push: PushFanOut;
  clock: Clock;
  byEmail: boolean;
}): EventHandler {
  return defineHandler(
    'notifications',
    accountMailRequested,
    async ({ mailId }, _meta, tx) => {
      if (!byEmail) return;
      await queueAccountMail(tx, mailId, await databaseTimeMs(tx, clock));
      // No stream has this key: the push only wakes the jobs.
      await push.publish(tx, [mailId]);
    },
    (requests) => {
      if (byEmail) push.committed(requests.map(({ mailId }) => mailId));
    },
  );
}
