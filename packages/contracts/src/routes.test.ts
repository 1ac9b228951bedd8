import { expect, test } from 'vitest';
import type { ErrorCode, RouteContract } from './route-contract.ts';
import { routes } from './routes.ts';

const idsOf = (fits: (route: RouteContract) => boolean | undefined) =>
  new Set(routes.filter(fits).map(({ id }) => id));

const SPECIAL_ERRORS: Partial<Record<ErrorCode, readonly string[]>> = {
  EMAIL_TAKEN: ['signUp', 'changeEmail', 'confirmEmail'],
  POLICIES_CHANGED: ['signUp'],
  INVALID_CREDENTIALS: ['logIn', 'signInWithPasskey', 'adminSignIn', 'adminSignInWithPasskey'],
  WRONG_PASSWORD: [
    'changeEmail',
    'changePassword',
    'deleteAccount',
    'confirmEmail',
    'startPasskeyRegistration',
    'removePasskey',
    'startAdminPasskeyRegistration',
  ],
  LINK_INVALID: ['resetPassword', 'confirmEmail', 'stopEmailChange'],
  NOT_FOUND: [
    'endSession',
    'renamePasskey',
    'removePasskey',
    'removeAdminPasskey',
    'renewInvitation',
    'changeAdministrator',
    'removeAdministrator',
    'markNotificationRead',
    'savePushDevice',
    'changePushDevice',
    'removePushDevice',
    'testPushDevice',
    'createSubscription',
    'confirmPayment',
    'answerSurvey',
    'skipSurvey',
    'changeSurvey',
    'deleteSurvey',
    'duplicateSurvey',
    'createQuestion',
    'changeQuestion',
    'deleteQuestion',
    'getSurveyResults',
    'listTextAnswers',
    'exportSurveyResponses',
    'getLog',
    'removeLogView',
  ],
  PASSKEY_REFUSED: ['startPasskeyRegistration', 'addPasskey', 'removePasskey', 'addAdminPasskey'],
  PASSKEY_LIMIT: [
    'startPasskeyRegistration',
    'addPasskey',
    'startAdminPasskeyRegistration',
    'addAdminPasskey',
  ],
  INVALID_PASSCODE: ['adminLogIn'],
  ADMIN_OFF: ['adminLogIn', 'beginSingleSignOn', 'finishSingleSignOn'],
  PROVIDER_UNAVAILABLE: ['beginSingleSignOn', 'finishSingleSignOn'],
  SIGN_IN_EXPIRED: ['finishSingleSignOn'],
  SIGN_IN_REFUSED: ['finishSingleSignOn'],
  EMAIL_NOT_VERIFIED: ['finishSingleSignOn', 'createSubscription'],
  PERMISSION_DENIED: ['finishSingleSignOn'],
  INVITATION_NOT_FOUND: ['openInvitation', 'acceptInvitation'],
  ADMINISTRATOR_EXISTS: ['inviteAdministrator'],
  LAST_OWNER: ['changeAdministrator', 'removeAdministrator'],
  PRO_REQUIRED: [
    'lookUpCases',
    'exportSavedCases',
    'exportCasesCsv',
    'exportCasesNdjson',
    'changeSavedCases',
    'importSavedCases',
    'saveCase',
    'changeSavedCase',
    'exportNotificationsCsv',
    'exportNotificationsNdjson',
  ],
  RECEIPT_NOT_RECOGNIZED: ['lookUpCase'],
  AGENCY_REFUSED: ['lookUpCase'],
  AGENCY_BUSY: ['lookUpCase'],
  AGENCY_UNAVAILABLE: ['lookUpCase'],
  BUDGET_SPENT: ['lookUpCase'],
  SAVED_CASE_LIMIT: ['saveCase'],
  CASE_ALREADY_SAVED: ['saveCase'],
  SAVED_CASE_NOT_FOUND: ['changeSavedCase', 'removeSavedCase', 'putCaseDate', 'removeCaseDate'],
  DEVICE_LIMIT: ['savePushDevice'],
  INVALID_SIGNATURE: ['unsubscribe', 'receiveMailReport', 'receiveStripeEvent'],
  PAYMENTS_UNAVAILABLE: [
    'listPrices',
    'createSubscription',
    'confirmPayment',
    'cancelSubscription',
    'resumeSubscription',
    'previewSwitch',
    'switchToYearly',
    'listInvoices',
    'openBillingPortal',
    'receiveStripeEvent',
  ],
  NO_SUBSCRIPTION: [
    'cancelSubscription',
    'resumeSubscription',
    'previewSwitch',
    'switchToYearly',
    'openBillingPortal',
  ],
  CARD_DECLINED: ['switchToYearly'],
  ADDRESS_NEEDED: ['createSubscription'],
  PROMOTION_REFUSED: ['createSubscription'],
  SURVEY_CHANGED: ['answerSurvey'],
  ALREADY_ANSWERED: ['answerSurvey'],
  EDIT_CONFLICT: ['changeSurvey', 'deleteSurvey', 'createQuestion', 'changeQuestion', 'deleteQuestion'],
  LOG_VIEW_LIMIT: ['saveLogViews'],
};

test('success is 200, except for what is created, accepted for later, removed without an answer, or redirected', () => {
  expect(idsOf(({ status }) => status === 201)).toEqual(
    new Set([
      'signUp',
      'addPasskey',
      'addAdminPasskey',
      'inviteAdministrator',
      'renewInvitation',
      'saveCase',
      'answerSurvey',
      'createSurvey',
      'duplicateSurvey',
      'createQuestion',
    ]),
  );
  expect(idsOf(({ status }) => status === 202)).toEqual(
    new Set(['requestPasswordReset', 'sendConfirmation']),
  );
  expect(idsOf(({ status }) => status === 204)).toEqual(new Set(['removeSavedCase', 'removePushDevice']));
  expect(idsOf(({ status }) => status === 303)).toEqual(new Set(['openUnsubscribePage']));
});

test('only ways to sign in, what a link in an e-mail opens, prices and the webhooks are open to everyone', () => {
  expect(idsOf(({ access }) => access === 'public')).toEqual(
    new Set([
      'signUp',
      'logIn',
      'logOut',
      'requestPasswordReset',
      'resetPassword',
      'confirmEmail',
      'stopEmailChange',
      'startPasskeySignIn',
      'signInWithPasskey',
      'adminLogIn',
      'adminSignIn',
      'getAdminSignInOptions',
      'beginSingleSignOn',
      'finishSingleSignOn',
      'startAdminPasskeySignIn',
      'adminSignInWithPasskey',
      'adminLogOut',
      'openInvitation',
      'acceptInvitation',
      'openUnsubscribePage',
      'unsubscribe',
      'receiveMailReport',
      'listPrices',
      'getBillingConfig',
      'receiveStripeEvent',
    ]),
  );
});

test('each special error is documented for the routes that answer it', () => {
  const special = new Map<string, string[]>();
  for (const { id, errors = [] } of routes) {
    for (const code of errors) special.set(code, [...(special.get(code) ?? []), id]);
  }
  expect(Object.fromEntries(special)).toEqual(SPECIAL_ERRORS);
});

test('what begins, ends or changes sessions has the gateway forget what it cached of them', () => {
  expect(idsOf(({ changesSessions }) => changesSessions)).toEqual(
    new Set([
      'signUp',
      'logIn',
      'logOut',
      'logOutEverywhere',
      'changeProfile',
      'changeEmail',
      'changePassword',
      'deleteAccount',
      'resetPassword',
      'confirmEmail',
      'endSession',
      'signInWithPasskey',
    ]),
  );
});

test('internal routes alone have a path that the gateway never routes', () => {
  for (const { id, path, access } of routes) {
    expect(path.startsWith('/internal/'), id).toBe(access === 'internal');
    expect(path.startsWith('/api/'), id).toBe(access !== 'internal');
  }
});
