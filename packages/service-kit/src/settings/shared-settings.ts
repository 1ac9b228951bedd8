import { isEmailAddress } from '@casewatch/contracts/email-address';
import { z } from 'zod';
import { isLoopback } from './loopback.ts';
import { integer, setting } from './settings.ts';

/** Settings, and kinds of them, that several parts of the product read: each has one schema and one description. */

export const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** A server that gets secrets of ours: plain http only on this machine. */
export const secureUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an https URL' })
    .refine(
      (text) => text.startsWith('https:') || isLoopback(new URL(text).hostname),
      'must be an https URL',
    );

/** A part of a whole. */
export const ratio = () =>
  z.coerce.number('must be a number').min(0, 'must be 0 or above').max(1, 'must be 1 or below');

/** A secret; several, separated by commas, while one is replaced. */
export const secrets = () =>
  z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .pipe(z.array(z.string().min(16, 'must have at least 16 characters')));

/** The pool of a service's process. */
export const databaseConnections = (service: string, standard: number) =>
  setting(integer(1, 1_000).default(standard), {
    description: `The most database connections of one ${service} process.`,
  });

export const PUBLIC_URL = setting(httpUrl().default('http://localhost:8080'), {
  description:
    'Where people open the product. With https the session cookie is Secure and named `__Host-sid`, else `sid`. Unset, `npm start` takes localhost with PORT.',
});

export const supportSettings = {
  SUPPORT_EMAIL: setting(z.string().refine(isEmailAddress, 'must be an e-mail address').optional(), {
    description:
      'Where people write to for support. Unset, and without SUPPORT_URL: the product promises no support.',
  }),
  SUPPORT_URL: setting(httpUrl().optional(), {
    description:
      'A page for support, used where SUPPORT_EMAIL is not set. `reference` and `priority` are added to its query.',
  }),
};

/** Where Stripe is: billing calls it, and pages load its script, which the gateway allows. */
export const stripePlaces = {
  STRIPE_API_BASE: setting(httpUrl().default('https://api.stripe.com'), {
    description: 'Where Stripe’s API is.',
  }),
  STRIPE_SCRIPT_URL: setting(httpUrl().optional(), {
    description: 'Where browsers load Stripe’s script. Unset: from Stripe.',
  }),
};
