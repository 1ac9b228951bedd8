import { expect, test } from 'vitest';
import type { RouteContract } from './route-contract.ts';
import { routes } from './routes.ts';

const idsOf = (fits: (route: RouteContract) => boolean | undefined) =>
  new Set(routes.filter(fits).map(({ id }) => id));

test('success is 200, except for what is created, accepted for later, removed without an answer, or found elsewhere', () => {
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

test('only ways to sign in, what a link in an e-mail opens, prices and the webhook are open to everyone', () => {
  expect(idsOf(({ access }) => access === 'public')).toEqual(
    new Set([
      'signUp',
      'logIn',
      'logOut',
      'requestPasswordReset',
      'resetPassword',
      'confirmEmail',
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
      'listPrices',
      'getBillingConfig',
      'receiveStripeEvent',
    ]),
  );
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
