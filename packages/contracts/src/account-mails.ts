import { z } from 'zod';
import type { AppPage } from './app-pages.ts';
import { language } from './identity.ts';
import { defineRoute } from './route-contract.ts';

/** Most e-mails in one request. */
export const ACCOUNT_MAILS_MAX = 100;

/** Pages of the web app that a link in an e-mail opens; the token follows as the fragment, which no server or log sees. */
export const RESET_PASSWORD_PAGE = '/reset-password' satisfies AppPage;
export const CONFIRM_EMAIL_PAGE = '/confirm-email' satisfies AppPage;
export const STOP_EMAIL_CHANGE_PAGE = '/stop-email-change' satisfies AppPage;
/** Where a link to reset the password is requested. */
export const FORGOT_PASSWORD_PAGE = '/forgot-password' satisfies AppPage;

export const ACCOUNT_MAIL_KINDS = [
  /** Has a link that resets the password. */
  'reset-password',
  /** Has a link that proves the account's address. */
  'confirm-email',
  /** Goes to a new address, with the link that makes it the account's. */
  'change-email',
  /** Goes to the current address when a change is requested, with a link that stops the change. */
  'stop-email-change',
  /** Someone used the address of an existing account to sign up, or for another account. */
  'address-in-use',
  /** A notice to the address that the account had before. */
  'email-changed',
  'password-changed',
  'new-device',
  'passkey-added',
  'passkey-removed',
] as const;

const accountMail = z.object({
  mailId: z.uuid(),
  kind: z.enum(ACCOUNT_MAIL_KINDS),
  to: z.string(),
  requestedAt: z.iso.datetime(),
  token: z.string().nullable().meta({
    description:
      'What the link carries, made for this request alone and stored nowhere; null without a link.',
  }),
  tokenMinutes: z
    .int()
    .nullable()
    .meta({ description: 'How long a link is valid from the time of the request.' }),
  isFirstProof: z.boolean().meta({
    description: 'No address of the account is proven yet: the first proof ends what was set up before it.',
  }),
  passkeys: z.int().meta({ description: 'Passkeys of the account, which open it whatever the password is.' }),
  device: z.string().nullable().meta({ description: 'The browser and system of the request.' }),
  network: z.string().nullable().meta({ description: 'The network of the request, as an address prefix.' }),
  language: language.meta({
    description: "The account's language, else that of the request that caused the e-mail.",
  }),
});
export type AccountMail = z.output<typeof accountMail>;

/** Asked for at the moment of sending, so that links are neither stored nor published: only their hash is kept. */
export const prepareAccountMails = defineRoute({
  id: 'prepareAccountMails',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/account-mails',
  access: 'internal',
  summary: 'What these e-mails about accounts say, each with a link of its own',
  description:
    'Left out: e-mails whose time is over, and those to an address without an account. Asked again, e-mails get another link; each is valid until one of them is used.',
  body: z.strictObject({ mailIds: z.array(z.uuid()).min(1).max(ACCOUNT_MAILS_MAX) }),
  answer: z.object({ mails: z.array(accountMail) }),
});
