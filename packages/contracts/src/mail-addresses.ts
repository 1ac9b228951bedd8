import { z } from 'zod';
import { language } from './identity.ts';
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
  status: 200,
  answer: z.object({
    addresses: z.array(
      z.object({
        userId: z.uuid(),
        email: z.string(),
        verified: z.boolean().meta({ description: 'Whether the address is proven to be the user’s.' }),
        language: language.meta({ description: 'Of what is sent to the user.' }),
      }),
    ),
  }),
});
