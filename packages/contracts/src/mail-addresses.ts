import { z } from 'zod';
import { language } from './identity.ts';
import { EMAIL_MAX_LENGTH } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** Most users in one request. */
export const MAIL_ADDRESSES_MAX = 100;

/** Read at the moment of sending, so that no other service stores addresses: a changed one takes effect at once. */
export const listMailAddresses = defineRoute({
  id: 'listMailAddresses',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/mail-addresses',
  access: 'internal',
  summary: 'Where these users get their e-mail',
  description: 'Users without an account are left out.',
  body: z.strictObject({ userIds: z.array(z.uuid()).min(1).max(MAIL_ADDRESSES_MAX) }),
  answer: z.object({
    addresses: z.array(
      z.object({
        userId: z.uuid(),
        email: z.string(),
        verified: z.boolean().meta({ description: 'Whether the address is proven to be the user’s.' }),
        refused: z.literal(true).optional().meta({
          description: 'An e-mail to the address was refused for good, and none was accepted since.',
        }),
        language: language.meta({ description: 'Of what is sent to the user.' }),
      }),
    ),
  }),
});

/** Stores with the account whether mail servers accept e-mails to its address, which the app shows to its user. */
export const reportMailResult = defineRoute({
  id: 'reportMailResult',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/mail-results',
  access: 'internal',
  summary: 'Whether e-mails to an address are accepted',
  description: 'Changes nothing where no account has the address.',
  body: z.strictObject({
    email: z.string().min(1).max(EMAIL_MAX_LENGTH),
    accepted: z.boolean().meta({ description: 'false: refused for good, because of the address.' }),
  }),
  answer: z.object({ ok: z.literal(true) }),
});
