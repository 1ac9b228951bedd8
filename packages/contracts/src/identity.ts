import { z } from 'zod';
import { asciiAddress, EMAIL_PATTERN, isEmailAddress } from './email-address.ts';
import { fieldMessage } from './field-texts.ts';
import { LANGUAGES } from './languages.ts';
import {
  EMAIL_MAX_LENGTH,
  NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  TIERS,
} from './limits.ts';
import { defineRoute } from './route-contract.ts';
import { secret, text } from './text.ts';

/** Parses to the address as it is stored and written to: trimmed, and in ASCII (`email-address.ts`). */
export const email = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, fieldMessage('email-invalid'))
  .transform(asciiAddress)
  .refine(isEmailAddress, fieldMessage('email-invalid'))
  .meta({
    format: 'email',
    maxLength: EMAIL_MAX_LENGTH,
    pattern: EMAIL_PATTERN,
    examples: ['ada@example.org'],
  });
export const language = z.enum(LANGUAGES);
const firstName = text({
  required: 'first-name-required',
  max: [NAME_MAX_LENGTH, 'first-name-long'],
  oneLine: 'first-name-line',
  invisible: 'first-name-invisible',
  example: 'Ada',
});
const lastName = text({
  required: 'last-name-required',
  max: [NAME_MAX_LENGTH, 'last-name-long'],
  oneLine: 'last-name-line',
  invisible: 'last-name-invisible',
  example: 'Lovelace',
});
const role = text({
  max: [NAME_MAX_LENGTH, 'role-long'],
  oneLine: 'role-line',
  invisible: 'role-invisible',
  example: 'Paralegal',
});
export const newPassword = secret({
  min: [PASSWORD_MIN_LENGTH, 'password-min'],
  max: [PASSWORD_MAX_LENGTH, 'password-max'],
  example: 'a long sentence is easy to keep',
});
export const passwordAgain = secret({
  min: [1, 'password-required'],
  max: [PASSWORD_MAX_LENGTH, 'password-long'],
  example: 'correct horse battery staple',
});

export const user = z
  .object({
    id: z.uuid(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    role: z.string().nullable(),
    tier: z.enum(TIERS),
    emailVerified: z
      .boolean()
      .meta({ description: 'Whether the address is proven: needed for Pro and for e-mails about cases.' }),
    emailRefused: z.literal(true).optional().meta({
      description: 'Mail servers refuse e-mails to the address for good: the person has to change it.',
    }),
    paymentFailed: z.literal(true).optional().meta({
      description: 'A renewal of the subscription was not paid: the person has to update the payment method.',
    }),
    language: language.nullable().meta({
      description: 'Of the app and of everything that is sent to the person; null: as the browser asks for.',
    }),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof user>;

const done = z.object({ ok: z.literal(true) });
/** The new session. */
export const setsSession = {
  'Set-Cookie': {
    description:
      'The session cookie, and the device cookie by which this browser is recognized at its next sign-in.',
    schema: z.string(),
  },
} as const;

export const loginBody = z.strictObject({ email, password: passwordAgain });
export const signupBody = z.strictObject({
  email,
  password: newPassword,
  firstName,
  lastName,
  role: role.optional(),
  language: language.optional().meta({
    description: 'The language that the person reads the app in; without one, it follows the browser.',
  }),
  policiesVersion: z.string().max(40).optional().meta({
    description:
      'The date of the policies that the page showed (`data-policies-version` of `html`), which is stored as agreed to. Another one than that of the server is refused.',
  }),
});
export const profileBody = z.strictObject({
  firstName: firstName.optional(),
  lastName: lastName.optional(),
  role: role.nullable().optional().meta({ description: 'null or an empty text removes the role.' }),
  language: language.nullable().optional().meta({ description: 'null: as the browser asks for.' }),
});
export const emailBody = z.strictObject({ email, currentPassword: passwordAgain });
export const passwordBody = z.strictObject({ currentPassword: passwordAgain, newPassword });
export const deleteAccountBody = z.strictObject({ currentPassword: passwordAgain });

const forUsers = { service: 'identity', access: 'user' } as const;

export const getMe = defineRoute({
  ...forUsers,
  id: 'getMe',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'The signed-in user',
  answer: user,
});

const forAnyone = { service: 'identity', access: 'public' } as const;

export const logIn = defineRoute({
  ...forAnyone,
  id: 'logIn',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  description:
    'Sets the session cookie and the device cookie. Failures are limited per account and per network; a browser with the account’s device cookie has a limit of its own, so that outsiders’ failures never lock it out.',
  body: loginBody,
  answer: user,
  answerHeaders: setsSession,
  errors: ['INVALID_CREDENTIALS'],
  changesSessions: true,
});

export const signUp = defineRoute({
  ...forAnyone,
  id: 'signUp',
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'Create an account and sign in',
  description: 'A password that is common, or made of the person’s name or e-mail address alone, is refused.',
  body: signupBody,
  status: 201,
  answer: user,
  answerHeaders: setsSession,
  errors: ['EMAIL_TAKEN', 'POLICIES_CHANGED'],
  changesSessions: true,
});

export const logOut = defineRoute({
  ...forAnyone,
  id: 'logOut',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sign out',
  description: 'Ends the session of this browser. Signing out twice is no error.',
  answer: done,
  changesSessions: true,
});

export const logOutEverywhere = defineRoute({
  ...forUsers,
  id: 'logOutEverywhere',
  method: 'POST',
  path: '/api/auth/logout-everywhere',
  summary: 'End every session of this account, this one too',
  answer: done,
  changesSessions: true,
});

export const changeProfile = defineRoute({
  ...forUsers,
  id: 'changeProfile',
  method: 'PATCH',
  path: '/api/auth/me',
  summary: 'Change name, role or language',
  body: profileBody,
  answer: user,
  changesSessions: true,
});

export const changeEmail = defineRoute({
  ...forUsers,
  id: 'changeEmail',
  method: 'POST',
  path: '/api/auth/email',
  summary: 'Change the e-mail address',
  description:
    'Sends a link to the new address; it takes effect when the link is used, and the answer has the old one. The old one, once it is proven, gets a link that stops the change. Signing out everywhere and a new password cancel it. The answer does not reveal whether another account has the address. Where no e-mails are sent it changes at once.',
  body: emailBody,
  answer: user,
  errors: ['WRONG_PASSWORD', 'EMAIL_TAKEN'],
  changesSessions: true,
});

export const changePassword = defineRoute({
  ...forUsers,
  id: 'changePassword',
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Change the password',
  description:
    'Ends every other session of the account; this one continues under a new session id. Browsers that signed in before are not recognized any more. A password that is common, or made of the person’s name or e-mail address alone, is refused.',
  body: passwordBody,
  answer: user,
  answerHeaders: setsSession,
  errors: ['WRONG_PASSWORD'],
  changesSessions: true,
});

export const deleteAccount = defineRoute({
  ...forUsers,
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/api/auth/me',
  summary: 'Delete the account and everything it holds',
  body: deleteAccountBody,
  answer: done,
  errors: ['WRONG_PASSWORD'],
  changesSessions: true,
});

/** What a session means to the gateway. `expiresAt` is when it ends if nothing else happens (ISO 8601). */
export const resolvedSession = z.object({
  userId: z.uuid(),
  /** Its id in the list of sessions, which opens nothing. */
  sessionId: z.uuid(),
  tier: z.enum(TIERS),
  name: z.string().meta({ description: 'The first name, which may have several words.' }),
  expiresAt: z.iso.datetime(),
});
export type ResolvedSession = z.output<typeof resolvedSession>;

export const resolveSession = defineRoute({
  id: 'resolveSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/resolve-session',
  access: 'internal',
  summary: 'The user of a session cookie',
  body: z.strictObject({ sid: z.string().max(200) }),
  answer: z.object({ session: resolvedSession.nullable() }),
});
