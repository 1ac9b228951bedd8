import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { TOKEN_MINUTES } from '../mail/account-mail.ts';
import { accountKey, type Limit, mailboxKey, networksOf, SITE_FACTOR, takeAll } from './take-limits.ts';

export interface MailRules {
  /** E-mails of sign-ups and changes to one mailbox within an hour, and as many links that an account asks for again. */
  perRecipient: number;
  /** E-mails that one account sends by its requests within an hour. */
  perAccount: number;
  /** Requests for e-mails from one network within an hour. */
  perNetwork: number;
}

/** A signed-in person's request for an e-mail to `email`. */
export interface MailFrom {
  userId: string;
  address: string;
  email: string;
}

/**
 * Limits the e-mails that requests send, per network, account and recipient. What resolves to nothing throws AppError
 * RATE_LIMITED when a limit is used up.
 */
export interface MailLimits {
  /**
   * Takes one request for a link that resets a password; throws for the network alone. False: enough were sent to the address,
   * whether or not it has an account, and the last one works for as long as the window of this limit.
   */
  resetMail(from: Omit<MailFrom, 'userId'>): Promise<boolean>;
  /** Takes the e-mail of a sign-up. False: the mailbox has had enough, whichever spellings of its address were used. */
  signUpMail(email: string): Promise<boolean>;
  /** Takes the e-mail of a change of address. */
  changeMail(from: MailFrom): Promise<void>;
  /** Takes one more link that proves the account's own address. */
  confirmationMail(from: MailFrom): Promise<void>;
  /** Takes one change of the account's password, which ends its links. */
  passwordChange(userId: string): Promise<void>;
  /** Allows links that reset the password again, since those that were sent have ended. */
  clearResetMails(email: string): Promise<void>;
  clearPasswordChanges(userId: string): Promise<void>;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** How many times as much an account has in a day as in an hour. */
const DAY_FACTOR = 2;
/** How many times as many links the accounts of one mailbox get as one of them; more are asked for by those of an outsider. */
const MAILBOX_FACTOR = 4;
/**
 * Half the lifetime of a link that resets a password: when a request sends none, the last link in the mailbox works for the
 * other half. So requests of others never keep the owner of an address from resetting the password.
 */
const RESET_SECONDS = (TOKEN_MINUTES['reset-password'] * 60) / 2;
/** Fewer than the links that the owner can get within an hour: a thief who knows the password can't end them all. */
const PASSWORD_CHANGES = 5;

export function createMailLimits(
  limiters: LimiterFactory,
  { perRecipient, perAccount, perNetwork }: MailRules,
): MailLimits {
  const within = (perSeconds: number) => (name: string, points: number) =>
    limiters({ name, points, perSeconds });
  const hourly = within(HOUR_SECONDS);
  const recipient = hourly('account-mail', perRecipient);
  // Of its own: otherwise anyone could keep the owner of a new account from getting another link.
  const ownAddress = hourly('account-mail-own', perRecipient);
  const ownMailbox = hourly('account-mail-own-mailbox', perRecipient * MAILBOX_FACTOR);
  const resets = within(RESET_SECONDS)(
    'account-mail-reset',
    Math.ceil((perRecipient * RESET_SECONDS) / HOUR_SECONDS),
  );
  const address = hourly('account-mail-network', perNetwork);
  const site = hourly('account-mail-site', perNetwork * SITE_FACTOR);
  const account = hourly('account-mail-account', perAccount);
  const accountDay = within(DAY_SECONDS)('account-mail-account-day', perAccount * DAY_FACTOR);
  const passwordChanges = hourly('password-change', PASSWORD_CHANGES);

  const networks = (from: string) => networksOf(from, { address, site }, 'too-many-emails-network');

  function mailFrom(
    { userId, address: from }: MailFrom,
    ...recipients: readonly Pick<Limit, 'limiter' | 'key'>[]
  ): Promise<void> {
    return takeAll([
      ...networks(from),
      { limiter: account, key: userId, refusal: 'too-many-emails-account' },
      { limiter: accountDay, key: userId, refusal: 'too-many-emails-account' },
      ...recipients.map((one) => ({ ...one, refusal: 'too-many-emails-address' as const })),
    ]);
  }

  return {
    async resetMail({ address: from, email }) {
      await takeAll(networks(from));
      return (await resets.take(accountKey(email))) === undefined;
    },
    signUpMail: async (email) => (await recipient.take(mailboxKey(email))) === undefined,
    changeMail: (from) => mailFrom(from, { limiter: recipient, key: mailboxKey(from.email) }),
    confirmationMail: (from) =>
      mailFrom(
        from,
        { limiter: ownAddress, key: accountKey(from.email) },
        { limiter: ownMailbox, key: mailboxKey(from.email) },
      ),
    passwordChange: (userId) =>
      takeAll([{ limiter: passwordChanges, key: userId, refusal: 'too-many-password-changes' }]),
    clearResetMails: (email) => resets.reset(accountKey(email)),
    clearPasswordChanges: (userId) => passwordChanges.reset(userId),
  };
}
