import { userLoggedIn } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { countLogin } from '../data/user-rows.ts';

/** Records a login, for surveys shown by login count. */
export const onUserLoggedIn: EventHandler = defineHandler(
  'surveys',
  userLoggedIn,
  ({ userId, loginCount }, _meta, tx) => countLogin(tx, userId, loginCount),
);
