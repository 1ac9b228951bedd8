import { z } from 'zod';
import { fieldMessage } from './field-texts.ts';
import { email, language, newPassword, passwordAgain } from './identity.ts';
import { defineRoute } from './route-contract.ts';

const done = z.object({ ok: z.literal(true) });
const proven = done.extend({
  isFirstProof: z.boolean().meta({
    description:
      'Whether no address of the account was proven before. Then its passkeys and every other session have ended, no matter who made them.',
  }),
});
/** What a link in an e-mail carries. One that was cut off gets the same answer as an expired one. */
const linkToken = z
  .string()
  .max(200, fieldMessage('link-incomplete'))
  .meta({ description: 'From the link of an e-mail: what follows the #.' });

export const forgotPasswordBody = z.strictObject({
  email,
  language: language.optional().meta({
    description:
      'Of the e-mail, unless the account has chosen one; without it, the language that the browser asks for.',
  }),
});
export const resetPasswordBody = z.strictObject({ token: linkToken, newPassword });
export const confirmEmailBody = z.strictObject({ token: linkToken, currentPassword: passwordAgain });
/** What the form that confirms an address takes; the token is the page's. */
export const confirmEmailForm = z.strictObject({ currentPassword: passwordAgain });
/** What the form of a new password takes; the token is the page's. */
export const newPasswordForm = z.strictObject({ newPassword });

const forAnyone = { service: 'identity', access: 'public' } as const;

export const requestPasswordReset = defineRoute({
  ...forAnyone,
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/api/auth/password-reset',
  summary: 'Request an e-mail with a link that resets the password',
  description:
    'The answer and the time it takes are the same whether or not an account has this address. Few e-mails an hour go to one address; beyond them the answer is still the same.',
  body: forgotPasswordBody,
  status: 202,
  answer: done,
});

export const resetPassword = defineRoute({
  ...forAnyone,
  id: 'resetPassword',
  method: 'POST',
  path: '/api/auth/password-reset/confirm',
  summary: 'Set a new password with the link of an e-mail',
  description:
    'Uses the link up, ends every session and every other link of the account, and notifies the address. The first proof of the address ends passkeys, too. A refused password leaves the link valid.',
  body: resetPasswordBody,
  answer: proven,
  errors: ['LINK_INVALID'],
  changesSessions: true,
});

const forUsers = { service: 'identity', access: 'user' } as const;

export const sendConfirmation = defineRoute({
  ...forUsers,
  id: 'sendConfirmation',
  method: 'POST',
  path: '/api/auth/email/confirmation',
  summary: "Send the link that proves the signed-in user's address again",
  status: 202,
  answer: done,
});

export const confirmEmail = defineRoute({
  ...forAnyone,
  id: 'confirmEmail',
  method: 'POST',
  path: '/api/auth/email/confirm',
  summary: 'Prove an e-mail address with the link of an e-mail',
  description:
    'Proves the address of a new account, or puts a changed address into effect, together with the password of the account. Another account that has the address without having proven it is deleted. The first proof of an account ends its passkeys and every session but the one that this browser has, which continues under a new session id.',
  body: confirmEmailBody,
  answer: proven,
  errors: ['LINK_INVALID', 'EMAIL_TAKEN', 'WRONG_PASSWORD'],
  changesSessions: true,
});

export const stopEmailChange = defineRoute({
  ...forAnyone,
  id: 'stopEmailChange',
  method: 'POST',
  path: '/api/auth/email/stop',
  summary: 'Stop a change of e-mail address with the link that the current address got',
  description:
    'Uses the link up and ends the links of every pending change of the account. The address stays.',
  body: z.strictObject({ token: linkToken }),
  answer: done,
  errors: ['LINK_INVALID'],
});

export const sessionItem = z
  .object({
    id: z.uuid(),
    device: z.string().meta({ description: 'Such as "Firefox on Windows".' }),
    network: z
      .string()
      .meta({ description: 'The address prefix of the sign-in: an IPv4 /24 or an IPv6 /48.' }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: 'To the minute.' }),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' });
export type SessionItem = z.output<typeof sessionItem>;

export const listSessions = defineRoute({
  ...forUsers,
  id: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'Where the account is signed in, the most recently used first',
  answer: z.array(sessionItem),
});

export const endSession = defineRoute({
  ...forUsers,
  id: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  summary: 'Sign out one device',
  params: z.object({ id: z.uuid() }),
  answer: done,
  errors: ['NOT_FOUND'],
  changesSessions: true,
});
