import * as cases from './cases.ts';
import { checkCases } from './check-cases.ts';
import * as identity from './identity.ts';
import * as monitoring from './monitoring.ts';
import * as notifications from './notifications.ts';
import type { RouteContract } from './route-contract.ts';

/** Every route of the product. The gateway's route table and the OpenAPI document are made from it. */
export const routes: readonly RouteContract[] = [
  identity.getMe,
  identity.signUp,
  identity.logIn,
  identity.logOut,
  identity.logOutEverywhere,
  identity.changeProfile,
  identity.changeEmail,
  identity.changePassword,
  identity.deleteAccount,
  identity.resolveSession,
  cases.lookUpCases,
  cases.lookUpCase,
  cases.listSavedCases,
  cases.saveCase,
  cases.changeSavedCase,
  cases.removeSavedCase,
  checkCases,
  monitoring.listWatches,
  notifications.listNotifications,
  notifications.markNotificationRead,
  notifications.markAllNotificationsRead,
  notifications.streamNotifications,
];
