import { z } from 'zod';
import { defineRoute } from './route-contract.ts';
import { secret } from './text.ts';

export const adminLogIn = defineRoute({
  id: 'adminLogIn',
  service: 'identity',
  method: 'POST',
  path: '/api/admin/login',
  access: 'public',
  summary: 'Open the admin area with its passcode',
  description: 'Sets a cookie of its own, good for the admin routes only. Five tries in 15 minutes.',
  body: z.strictObject({
    passcode: secret({ min: [1, 'Enter the passcode.'], max: [256, 'The passcode is too long.'] }),
  }),
  status: 200,
  answer: z.object({
    ok: z.literal(true),
    idleSeconds: z.int().meta({ description: 'The session ends after so long without a request.' }),
  }),
  answerHeaders: { 'Set-Cookie': { description: 'The admin cookie.', schema: z.string() } },
  errors: ['INVALID_PASSCODE', 'ADMIN_OFF'],
});

export const adminLogOut = defineRoute({
  id: 'adminLogOut',
  service: 'identity',
  method: 'POST',
  path: '/api/admin/logout',
  access: 'public',
  summary: 'Close the admin area',
  description: 'Closing it twice is no error.',
  status: 200,
  answer: z.object({ ok: z.literal(true) }),
});

/** `sessionId` names the session in the audit trail; it opens nothing. */
export const resolvedAdminSession = z.object({ sessionId: z.uuid() });
export type ResolvedAdminSession = z.output<typeof resolvedAdminSession>;

export const resolveAdminSession = defineRoute({
  id: 'resolveAdminSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/resolve-admin-session',
  access: 'internal',
  summary: 'Which admin session a cookie opens; asking counts as using it',
  body: z.strictObject({ sid: z.string().max(200) }),
  status: 200,
  answer: z.object({ session: resolvedAdminSession.nullable() }),
});
