import { z } from 'zod';
import { ADMIN_ROLES } from './admin-roles.ts';
import { loginBody } from './identity.ts';
import { defineRoute } from './route-contract.ts';
import { secret, text } from './text.ts';

export const adminOpening = {
  'Set-Cookie': {
    description: 'The admin cookie, and the one by which this browser is recognized at its next sign-in.',
    schema: z.string(),
  },
} as const;

export const adminIdentity = z
  .object({
    name: z.string().meta({ description: '`passcode` for the shared one.' }),
    role: z.enum(ADMIN_ROLES),
  })
  .meta({ id: 'AdminIdentity' });
export type AdminIdentity = z.output<typeof adminIdentity>;

export const openedAdminArea = z
  .object({
    ok: z.literal(true),
    idleSeconds: z.int().meta({ description: 'The session ends after this many seconds without a request.' }),
    admin: adminIdentity,
  })
  .meta({ id: 'OpenedAdminArea' });
export type OpenedAdminArea = z.output<typeof openedAdminArea>;

const signIn = { service: 'identity', access: 'public', method: 'POST' } as const;

export const adminLogIn = defineRoute({
  ...signIn,
  id: 'adminLogIn',
  path: '/api/admin/login',
  summary: 'Open the admin area with its passcode',
  description: 'Sets a cookie of its own, good for the admin routes only. Five tries in 15 minutes.',
  body: z.strictObject({
    passcode: secret({ min: [1, 'Enter the passcode.'], max: [256, 'The passcode is too long.'] }),
  }),
  answer: openedAdminArea,
  answerHeaders: adminOpening,
  errors: ['INVALID_PASSCODE', 'ADMIN_OFF'],
});

/** Six digits of an authenticator app, or a recovery code; spaces and hyphens as people type them. */
export const oneTimeCode = text({
  required: 'Enter the code of your authenticator app.',
  max: [40, 'The code is too long.'],
  example: '123456',
});

export const adminSignInBody = z.strictObject({ ...loginBody.shape, code: oneTimeCode });

export const adminSignIn = defineRoute({
  ...signIn,
  id: 'adminSignIn',
  path: '/api/admin/sign-in',
  summary: 'Open the admin area as a named administrator',
  description: 'The code is that of the authenticator app, or a recovery code. Each opens the area once.',
  body: adminSignInBody,
  answer: openedAdminArea,
  answerHeaders: adminOpening,
  errors: ['INVALID_CREDENTIALS'],
});

export const getAdminSignInOptions = defineRoute({
  id: 'getAdminSignInOptions',
  service: 'identity',
  method: 'GET',
  path: '/api/admin/sign-in',
  access: 'public',
  summary: 'How the admin area can be opened',
  answer: z.object({
    passcode: z.boolean(),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'The name of the OpenID provider; null without one.' }),
  }),
});

export const beginSingleSignOn = defineRoute({
  ...signIn,
  id: 'beginSingleSignOn',
  path: '/api/admin/single-sign-on',
  summary: 'Begin a sign-in with the OpenID provider',
  description: 'Sets a cookie that binds the sign-in to this browser for ten minutes.',
  answer: z.object({ url: z.string().meta({ description: 'Where the browser goes.' }) }),
  answerHeaders: { 'Set-Cookie': { description: 'The sign-in that has begun.', schema: z.string() } },
  errors: ['ADMIN_OFF', 'PROVIDER_UNAVAILABLE'],
});

export const finishSingleSignOn = defineRoute({
  ...signIn,
  id: 'finishSingleSignOn',
  path: '/api/admin/single-sign-on/finish',
  summary: 'Open the admin area with what the OpenID provider answered',
  body: z.strictObject({
    query: z
      .string()
      .max(8_000)
      .meta({ description: 'The query of the address that the provider sent the browser to.' }),
  }),
  answer: openedAdminArea,
  answerHeaders: adminOpening,
  errors: [
    'ADMIN_OFF',
    'SIGN_IN_EXPIRED',
    'SIGN_IN_REFUSED',
    'PROVIDER_UNAVAILABLE',
    'EMAIL_NOT_VERIFIED',
    'PERMISSION_DENIED',
  ],
});

export const adminLogOut = defineRoute({
  ...signIn,
  id: 'adminLogOut',
  path: '/api/admin/logout',
  summary: 'Close the admin area',
  description: 'Closing it twice is no error.',
  answer: z.object({ ok: z.literal(true) }),
});

/** `sessionId` names the session in the audit trail; it opens nothing. */
export const resolvedAdminSession = z.object({
  sessionId: z.uuid(),
  ...adminIdentity.shape,
  administratorId: z.uuid().nullable(),
});
export type ResolvedAdminSession = z.output<typeof resolvedAdminSession>;

export const resolveAdminSession = defineRoute({
  id: 'resolveAdminSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/resolve-admin-session',
  access: 'internal',
  summary: 'Which admin session a cookie opens, and with which role; asking counts as using it',
  body: z.strictObject({ sid: z.string().max(200) }),
  answer: z.object({ session: resolvedAdminSession.nullable() }),
});
