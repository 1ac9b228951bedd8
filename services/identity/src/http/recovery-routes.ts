import { prepareAccountMails as prepareMails } from '@casewatch/contracts/account-mails';
import * as contract from '@casewatch/contracts/account-recovery';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { stopEmailChange } from '../domain/account/change-email.ts';
import { confirmEmail, sendConfirmation } from '../domain/account/confirm-email.ts';
import { requestPasswordReset, resetPassword } from '../domain/account/reset-password.ts';
import type { Identity } from '../domain/identity.ts';
import { prepareAccountMails } from '../domain/mail/prepare-account-mails.ts';
import { endSession, listSessions } from '../domain/session/account-sessions.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import { clientOf } from './browser-of.ts';

const DONE = { ok: true } as const;

/** Returns the routes, contract by contract with its use case: what e-mails about an account lead to, and the list of its sessions. */
export function createRecoveryRoutes(identity: Identity, cookies: BrowserCookies): Route[] {
  return [
    route(contract.requestPasswordReset, async ({ body, request }) => {
      const { address, language } = clientOf(request);
      await requestPasswordReset(identity, {
        address,
        language: body.language ?? language,
        email: body.email,
      });
      return { body: DONE };
    }),

    route(contract.resetPassword, async ({ body, request }) => {
      const { isFirstProof } = await resetPassword(identity, { ...body, ...clientOf(request) });
      return { body: { ...DONE, isFirstProof } };
    }),

    route(contract.sendConfirmation, async ({ caller: { userId }, request }) => {
      await sendConfirmation(identity, { userId, ...clientOf(request) });
      return { body: DONE };
    }),

    route(contract.confirmEmail, async ({ body, request }) => {
      const { isFirstProof, continued } = await confirmEmail(identity, {
        ...body,
        ...clientOf(request),
        sid: cookies.read(request).oldSid,
      });
      return { body: { ...DONE, isFirstProof }, cookies: continued ? cookies.set(continued) : [] };
    }),

    route(contract.stopEmailChange, async ({ body }) => {
      await stopEmailChange(identity, body.token);
      return { body: DONE };
    }),

    route(contract.listSessions, async ({ caller, request }) => ({
      body: await listSessions(identity, caller.userId, cookies.read(request).oldSid),
    })),

    route(contract.endSession, async ({ caller, params }) => {
      await endSession(identity, caller.userId, params.id);
      return { body: DONE };
    }),

    route(prepareMails, async ({ body }) => ({
      body: { mails: await prepareAccountMails(identity, body.mailIds) },
    })),
  ];
}
