import type * as billing from '@casewatch/contracts/billing';
import type * as cases from '@casewatch/contracts/cases';
import type * as exports from '@casewatch/contracts/exports';
import type * as identity from '@casewatch/contracts/identity';
import type * as monitoring from '@casewatch/contracts/monitoring';
import type * as notifications from '@casewatch/contracts/notifications';
import type * as workspace from '@casewatch/contracts/workspace';
import type { Endpoint } from './call-api.ts';

export const getMe: Endpoint<typeof identity.getMe> = { method: 'GET', path: '/api/auth/me' };
export const logIn: Endpoint<typeof identity.logIn> = { method: 'POST', path: '/api/auth/login' };
export const signUp: Endpoint<typeof identity.signUp> = { method: 'POST', path: '/api/auth/signup' };
export const logOut: Endpoint<typeof identity.logOut> = { method: 'POST', path: '/api/auth/logout' };
export const logOutEverywhere: Endpoint<typeof identity.logOutEverywhere> = {
  method: 'POST',
  path: '/api/auth/logout-everywhere',
};
export const changeProfile: Endpoint<typeof identity.changeProfile> = {
  method: 'PATCH',
  path: '/api/auth/me',
};
export const changeEmail: Endpoint<typeof identity.changeEmail> = { method: 'POST', path: '/api/auth/email' };
export const changePassword: Endpoint<typeof identity.changePassword> = {
  method: 'POST',
  path: '/api/auth/password',
};
export const deleteAccount: Endpoint<typeof identity.deleteAccount> = {
  method: 'DELETE',
  path: '/api/auth/me',
};

export const lookUpCase: Endpoint<typeof cases.lookUpCase> = {
  method: 'GET',
  path: '/api/case-status/:receiptNumber',
};
export const lookUpCases: Endpoint<typeof cases.lookUpCases> = {
  method: 'POST',
  path: '/api/case-status/bulk',
};
export const listSavedCases: Endpoint<typeof cases.listSavedCases> = {
  method: 'GET',
  path: '/api/saved-cases',
};
export const exportCasesCsv: Endpoint<typeof exports.exportCasesCsv> = {
  method: 'POST',
  path: '/api/saved-cases/export.csv',
};
export const exportCasesNdjson: Endpoint<typeof exports.exportCasesNdjson> = {
  method: 'POST',
  path: '/api/saved-cases/export.ndjson',
};
export const exportNotificationsCsv: Endpoint<typeof exports.exportNotificationsCsv> = {
  method: 'POST',
  path: '/api/notifications/export.csv',
};
export const exportNotificationsNdjson: Endpoint<typeof exports.exportNotificationsNdjson> = {
  method: 'POST',
  path: '/api/notifications/export.ndjson',
};
export const saveCase: Endpoint<typeof cases.saveCase> = { method: 'POST', path: '/api/saved-cases' };
export const changeSavedCase: Endpoint<typeof cases.changeSavedCase> = {
  method: 'PATCH',
  path: '/api/saved-cases/:receiptNumber',
};
export const removeSavedCase: Endpoint<typeof cases.removeSavedCase> = {
  method: 'DELETE',
  path: '/api/saved-cases/:receiptNumber',
};
export const listSavedCasesPage: Endpoint<typeof workspace.listSavedCasesPage> = {
  method: 'GET',
  path: '/api/saved-cases/page',
};
export const changeSavedCases: Endpoint<typeof workspace.changeSavedCases> = {
  method: 'POST',
  path: '/api/saved-cases/bulk',
};
export const importSavedCases: Endpoint<typeof workspace.importSavedCases> = {
  method: 'POST',
  path: '/api/saved-cases/import',
};
export const listRemovedCases: Endpoint<typeof workspace.listRemovedCases> = {
  method: 'GET',
  path: '/api/saved-cases/removed',
};

export const listWatches: Endpoint<typeof monitoring.listWatches> = { method: 'GET', path: '/api/watches' };

export const listNotifications: Endpoint<typeof notifications.listNotifications> = {
  method: 'GET',
  path: '/api/notifications',
};
export const markNotificationRead: Endpoint<typeof notifications.markNotificationRead> = {
  method: 'PATCH',
  path: '/api/notifications/:id/read',
};
export const markAllNotificationsRead: Endpoint<typeof notifications.markAllNotificationsRead> = {
  method: 'POST',
  path: '/api/notifications/read-all',
};
export const getNotificationPreferences: Endpoint<typeof notifications.getNotificationPreferences> = {
  method: 'GET',
  path: '/api/notifications/preferences',
};
export const changeNotificationPreferences: Endpoint<typeof notifications.changeNotificationPreferences> = {
  method: 'PUT',
  path: '/api/notifications/preferences',
};
export const unsubscribe: Endpoint<typeof notifications.unsubscribe> = {
  method: 'POST',
  path: '/api/notifications/unsubscribe',
};

export const listPrices: Endpoint<typeof billing.listPrices> = { method: 'GET', path: '/api/pricing' };
export const getBillingConfig: Endpoint<typeof billing.getBillingConfig> = {
  method: 'GET',
  path: '/api/billing/config',
};
export const getSubscription: Endpoint<typeof billing.getSubscription> = {
  method: 'GET',
  path: '/api/billing/subscription',
};
export const createSubscription: Endpoint<typeof billing.createSubscription> = {
  method: 'POST',
  path: '/api/create-subscription',
};
export const confirmPayment: Endpoint<typeof billing.confirmPayment> = {
  method: 'POST',
  path: '/api/confirm-payment',
};
export const cancelSubscription: Endpoint<typeof billing.cancelSubscription> = {
  method: 'POST',
  path: '/api/billing/cancel',
};
export const resumeSubscription: Endpoint<typeof billing.resumeSubscription> = {
  method: 'POST',
  path: '/api/billing/resume',
};
export const openBillingPortal: Endpoint<typeof billing.openBillingPortal> = {
  method: 'POST',
  path: '/api/billing/portal',
};
