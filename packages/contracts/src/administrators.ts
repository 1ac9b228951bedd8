import { z } from 'zod';
import { ADMIN_ROLES } from './admin-roles.ts';
import { oneTimeCode, openedAdminArea } from './admin-session.ts';
import { signupBody } from './identity.ts';
import { NAME_MAX_LENGTH } from './limits.ts';
import { defineRoute } from './route-contract.ts';
import { secret, text } from './text.ts';

const token = z.string().max(100).meta({ description: 'What the link of the invitation ends with.' });
const role = z.enum(ADMIN_ROLES);
const name = text({
  required: 'Name is required',
  max: [NAME_MAX_LENGTH, 'Name is too long'],
  oneLine: 'Name must be a single line of text',
  invisible: 'Name has an invisible character. Please type it again without it.',
  example: 'Grace Hopper',
});
export const ADMIN_PASSWORD_MIN_LENGTH = 12;

const invited = { service: 'identity', access: 'public', method: 'POST' } as const;

export const openInvitation = defineRoute({
  ...invited,
  id: 'openInvitation',
  path: '/api/admin/invitations/open',
  summary: 'What an invitation to the admin area is for, and the key of its authenticator app',
  description: 'The invitation stays good. The key is the same until it is accepted.',
  body: z.strictObject({ token }),
  answer: z.object({
    email: z.string(),
    role,
    secret: z.string().meta({ description: 'The key of the one-time codes, Base32.' }),
    uri: z.string().meta({ description: 'The same as an otpauth:// address, for a QR code.' }),
  }),
  errors: ['INVITATION_NOT_FOUND'],
});

export const acceptInvitationBody = z.strictObject({
  token,
  name,
  password: secret({
    min: [ADMIN_PASSWORD_MIN_LENGTH, `Password must be at least ${ADMIN_PASSWORD_MIN_LENGTH} characters`],
    max: [256, 'Password is too long'],
  }),
  code: oneTimeCode,
});

export const acceptInvitation = defineRoute({
  ...invited,
  id: 'acceptInvitation',
  path: '/api/admin/invitations/accept',
  summary: 'Become an administrator: name, password and the first one-time code',
  description: 'Works once. The recovery codes are shown here and never again.',
  body: acceptInvitationBody,
  answer: openedAdminArea.extend({ recoveryCodes: z.array(z.string()) }).meta({ id: 'AcceptedInvitation' }),
  answerHeaders: { 'Set-Cookie': { description: 'As after a sign-in.', schema: z.string() } },
  errors: ['INVITATION_NOT_FOUND'],
});

export const administrator = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable().meta({ description: 'null until the invitation is accepted.' }),
    role,
    isActive: z.boolean().meta({ description: 'false until the invitation is accepted.' }),
    invitedUntil: z.iso.datetime().nullable().meta({ description: 'When an open invitation expires.' }),
    lastSignInAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Administrator' });
export type Administrator = z.output<typeof administrator>;

export const invitation = z
  .object({
    administrator,
    link: z.string().meta({ description: 'Good for one use. It is shown here and never again.' }),
  })
  .meta({ id: 'AdminInvitation' });
export type AdminInvitation = z.output<typeof invitation>;

const owners = { service: 'identity', access: 'admin', permission: 'administrators.manage' } as const;
const params = z.object({ id: z.uuid('Administrator not found.') });
const ONE = '/api/admin/administrators/:id';

export const listAdministrators = defineRoute({
  ...owners,
  id: 'listAdministrators',
  method: 'GET',
  path: '/api/admin/administrators',
  summary: 'The administrators and those who are invited, by e-mail address',
  answer: z.array(administrator),
});

export const inviteBody = z.strictObject({ email: signupBody.shape.email, role });

export const inviteAdministrator = defineRoute({
  ...owners,
  id: 'inviteAdministrator',
  method: 'POST',
  path: '/api/admin/administrators',
  summary: 'Invite an administrator',
  body: inviteBody,
  status: 201,
  answer: invitation,
  next: ['renewInvitation', 'changeAdministrator', 'removeAdministrator'].map((operationId) => ({
    operationId,
    parameters: { id: '/administrator/id' },
  })),
  errors: ['ADMINISTRATOR_EXISTS'],
});

export const renewInvitation = defineRoute({
  ...owners,
  id: 'renewInvitation',
  method: 'POST',
  path: `${ONE}/invitation`,
  summary: 'A new link, by which the administrator sets name, password and authenticator app again',
  description: 'Earlier links are worthless. What was set before stays good until the new link is used.',
  params,
  status: 201,
  answer: invitation,
  errors: ['NOT_FOUND'],
});

export const changeAdministrator = defineRoute({
  ...owners,
  id: 'changeAdministrator',
  method: 'PATCH',
  path: ONE,
  summary: 'Change the role of an administrator, at once',
  params,
  body: z.strictObject({ role }),
  answer: administrator,
  errors: ['NOT_FOUND', 'LAST_OWNER'],
});

export const removeAdministrator = defineRoute({
  ...owners,
  id: 'removeAdministrator',
  method: 'DELETE',
  path: ONE,
  summary: 'Remove an administrator and end their sessions',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['NOT_FOUND', 'LAST_OWNER'],
});
