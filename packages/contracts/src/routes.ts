import { prepareAccountMails } from './account-mails.ts';
import * as accountRecovery from './account-recovery.ts';
import * as adminLog from './admin-log.ts';
import * as adminPasskeys from './admin-passkeys.ts';
import * as adminSession from './admin-session.ts';
import * as adminSurveys from './admin-surveys.ts';
import * as administrators from './administrators.ts';
import { demonstrateAgencyCall } from './agency-demonstration.ts';
import { getAgencyQueue } from './agency-queue.ts';
import * as billing from './billing.ts';
import { listCaseNicknames } from './case-nicknames.ts';
import { listCaseOverviews } from './case-overviews.ts';
import * as cases from './cases.ts';
import { checkCases } from './check-cases.ts';
import { checkDeviceSession, grantDeviceSession } from './device-sessions.ts';
import * as exports from './exports.ts';
import { findUsers } from './find-users.ts';
import * as identity from './identity.ts';
import * as logViews from './log-views.ts';
import { listMailAddresses, reportMailResult } from './mail-addresses.ts';
import { receiveMailReport } from './mail-reports.ts';
import * as monitoring from './monitoring.ts';
import * as myData from './my-data.ts';
import * as notificationSettings from './notification-settings.ts';
import * as notifications from './notifications.ts';
import * as passkeys from './passkeys.ts';
import * as pushDevices from './push-devices.ts';
import type { RouteContract } from './route-contract.ts';
import { listOpenDates, putCaseDate, removeCaseDate } from './saved-case-dates.ts';
import * as surveys from './surveys.ts';
import { previewSwitch, switchToYearly } from './switch-plan.ts';
import * as workspace from './workspace.ts';

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
  accountRecovery.requestPasswordReset,
  accountRecovery.resetPassword,
  accountRecovery.sendConfirmation,
  accountRecovery.confirmEmail,
  accountRecovery.stopEmailChange,
  accountRecovery.listSessions,
  accountRecovery.endSession,
  passkeys.listPasskeys,
  passkeys.startPasskeyProof,
  passkeys.startPasskeyRegistration,
  passkeys.addPasskey,
  passkeys.renamePasskey,
  passkeys.removePasskey,
  passkeys.startPasskeySignIn,
  passkeys.signInWithPasskey,
  identity.resolveSession,
  listMailAddresses,
  reportMailResult,
  findUsers,
  grantDeviceSession,
  checkDeviceSession,
  prepareAccountMails,
  adminSession.adminLogIn,
  adminSession.adminSignIn,
  adminSession.getAdminSignInOptions,
  adminSession.beginSingleSignOn,
  adminSession.finishSingleSignOn,
  adminPasskeys.startAdminPasskeySignIn,
  adminPasskeys.adminSignInWithPasskey,
  adminPasskeys.listAdminPasskeys,
  adminPasskeys.startAdminPasskeyRegistration,
  adminPasskeys.addAdminPasskey,
  adminPasskeys.removeAdminPasskey,
  adminSession.adminLogOut,
  adminSession.resolveAdminSession,
  administrators.openInvitation,
  administrators.acceptInvitation,
  administrators.listAdministrators,
  administrators.inviteAdministrator,
  administrators.renewInvitation,
  administrators.changeAdministrator,
  administrators.removeAdministrator,
  cases.lookUpCases,
  cases.lookUpCase,
  cases.listSavedCases,
  cases.exportSavedCases,
  exports.exportCasesCsv,
  exports.exportCasesNdjson,
  workspace.listSavedCasesPage,
  workspace.listRemovedCases,
  workspace.changeSavedCases,
  workspace.importSavedCases,
  cases.saveCase,
  cases.changeSavedCase,
  cases.removeSavedCase,
  putCaseDate,
  removeCaseDate,
  listOpenDates,
  listCaseOverviews,
  checkCases,
  listCaseNicknames,
  monitoring.listWatches,
  notifications.listNotifications,
  notifications.markNotificationRead,
  notifications.markAllNotificationsRead,
  notifications.streamNotifications,
  exports.exportNotificationsCsv,
  exports.exportNotificationsNdjson,
  notifications.getNotificationPreferences,
  notifications.changeNotificationPreferences,
  pushDevices.listPushDevices,
  pushDevices.savePushDevice,
  pushDevices.changePushDevice,
  pushDevices.removePushDevice,
  pushDevices.testPushDevice,
  notificationSettings.getNotificationSettings,
  notificationSettings.changeNotificationSettings,
  notifications.openUnsubscribePage,
  notifications.unsubscribe,
  receiveMailReport,
  billing.listPrices,
  billing.getBillingConfig,
  billing.getSubscription,
  billing.createSubscription,
  billing.confirmPayment,
  billing.cancelSubscription,
  billing.resumeSubscription,
  previewSwitch,
  switchToYearly,
  billing.listInvoices,
  billing.openBillingPortal,
  billing.receiveStripeEvent,
  surveys.listPendingSurveys,
  surveys.answerSurvey,
  surveys.skipSurvey,
  adminSurveys.listSurveys,
  adminSurveys.createSurvey,
  adminSurveys.changeSurvey,
  adminSurveys.deleteSurvey,
  adminSurveys.duplicateSurvey,
  adminSurveys.createQuestion,
  adminSurveys.changeQuestion,
  adminSurveys.deleteQuestion,
  adminSurveys.getSurveyResults,
  adminSurveys.listTextAnswers,
  adminSurveys.exportSurveyResponses,
  adminLog.listLogs,
  adminLog.getLog,
  adminLog.exportLogsCsv,
  adminLog.exportLogsNdjson,
  adminLog.getCallOverview,
  getAgencyQueue,
  demonstrateAgencyCall,
  monitoring.checkDueCases,
  logViews.listLogViews,
  logViews.saveLogViews,
  logViews.removeLogView,
  adminLog.listAudit,
  ...Object.values(myData),
  adminLog.exportAuditCsv,
];
