import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { WatchRows } from '../domain/store.ts';

/** Erases the user; cases without other watchers are no longer checked. */
export function onUserDeleted({ watches }: { watches: WatchRows }): EventHandler {
  return defineHandler('monitoring', userDeleted, ({ userId }, { timeMs }, tx) =>
    watches.eraseUser(tx, userId, timeMs),
  );
}
