import type * as recovery from '@casewatch/contracts/account-recovery';
import type { Endpoint } from './call-api.ts';

export const requestPasswordReset: Endpoint<typeof recovery.requestPasswordReset> = {
  method: 'POST',
  path: '/api/auth/password-reset',
};
export const resetPassword: Endpoint<typeof recovery.resetPassword> = {
  method: 'POST',
  path: '/api/auth/password-reset/confirm',
};
export const sendConfirmation: Endpoint<typeof recovery.sendConfirmation> = {
  method: 'POST',
  path: '/api/auth/email/confirmation',
};
export const confirmEmail: Endpoint<typeof recovery.confirmEmail> = {
  method: 'POST',
  path: '/api/auth/email/confirm',
};
export const listSessions: Endpoint<typeof recovery.listSessions> = {
  method: 'GET',
  path: '/api/auth/sessions',
};
export const endSession: Endpoint<typeof recovery.endSession> = {
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
};
