import { userLoggedIn } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { countLogin } from '../data/people-rows.ts';

/** Somebody signed in: surveys that go by login count come closer. */
export const onUserLoggedIn: EventHandler = defineHandler(
  'surveys',
  userLoggedIn,
  ({ userId, loginCount }, _meta, tx) => countLogin(tx, userId, loginCount),
);
