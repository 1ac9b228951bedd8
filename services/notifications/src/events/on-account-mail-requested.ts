import { accountMailRequested } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { ReceivedRows } from '../domain/notify-users.ts';

/** Queues the e-mail, once per request, and notifies the job that sends it. `byEmail`: whether e-mails are sent here. */
export function onAccountMailRequested({
  rows,
  clock,
  byEmail,
  notifySenders,
}: {
  rows: ReceivedRows;
  clock: Clock;
  byEmail: boolean;
  notifySenders: () => void;
}): EventHandler {
  return defineHandler(
    'notifications',
    accountMailRequested,
    async ({ mailId }, _meta, tx) => {
      if (byEmail) await rows.queueAccountMail(tx, mailId, await databaseTimeMs(tx, clock));
    },
    notifySenders,
  );
}
