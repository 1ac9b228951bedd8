import {
  type AccountMail,
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
  STOP_EMAIL_CHANGE_PAGE,
} from '@casewatch/contracts/account-mails';
import { oneLine } from '../domain/texts.ts';
import type { Link } from './letter.ts';

export interface AccountLetter {
  readonly subject: string;
  /** Sentences in order; a link stands on a line of its own. */
  readonly parts: readonly (string | Link)[];
}

interface KnownOfLetter {
  readonly page: (path: string) => string;
  /** When it was requested. */
  readonly at: string;
  /** Where there is support, if anywhere. */
  readonly supportUrl: string | undefined;
}

/** Writes the e-mail about an account in one language. */
export type AccountLetterWriter = (mail: AccountMail, known: KnownOfLetter) => AccountLetter;

/** The letters of one language, by kind. */
export type AccountLetters = Readonly<
  Record<
    AccountMail['kind'],
    (
      known: KnownOfLetter & {
        readonly mail: AccountMail;
        readonly token: string;
        /** Leads to the form that requests a new password. */
        readonly forgot: Link;
        readonly validFor: string;
      },
    ) => AccountLetter
  >
>;

/** Returns the fragment of a link. */
export const tokenOf = ({ token }: AccountMail): string =>
  token === null ? '' : `#${encodeURIComponent(token)}`;

/** Returns what the e-mails about an account say. */
export const englishLetter: AccountLetterWriter = (mail, known) =>
  ENGLISH[mail.kind]({
    ...known,
    mail,
    token: tokenOf(mail),
    forgot: { label: 'Choose a new password', url: known.page(FORGOT_PASSWORD_PAGE) },
    validFor: mail.tokenMinutes === null ? '' : inWords(mail.tokenMinutes),
  });

const ENGLISH: AccountLetters = {
  'reset-password': ({ mail, page, token, validFor }) => ({
    subject: 'Reset your Casewatch password',
    parts: [
      'You, or someone else, asked to reset the password of your Casewatch account.',
      { label: 'Choose a new password', url: page(RESET_PASSWORD_PAGE) + token },
      `The link works once, for ${validFor}. A new password signs out every device.`,
      ...(mail.isFirstProof ? [FIRST_RESET] : []),
      'If you did not ask for this, ignore this email. Your password stays as it is.',
    ],
  }),
  'confirm-email': ({ page, token, validFor, forgot }) => ({
    subject: 'Confirm your email address',
    parts: [
      'Welcome to Casewatch. Confirm that this email address is yours, to get emails when a case moves and to use Pro.',
      { label: 'Confirm this email address', url: page(CONFIRM_EMAIL_PAGE) + token },
      `The link works once, for ${validFor}, together with the password of the account.`,
      FIRST_PROOF,
      'If you did not create this account, do not confirm. Someone else may have typed your address by mistake; you can make the account yours:',
      forgot,
    ],
  }),
  'change-email': ({ mail, page, token, validFor }) => ({
    subject: 'Confirm your new email address',
    parts: [
      'You asked to use this email address for your Casewatch account. Nothing changes until you confirm that it is yours.',
      { label: 'Confirm this email address', url: page(CONFIRM_EMAIL_PAGE) + token },
      `The link works once, for ${validFor}, together with the password of the account.`,
      ...(mail.isFirstProof ? [FIRST_PROOF] : []),
      'If you did not ask for this, ignore this email.',
    ],
  }),
  'stop-email-change': ({ mail, page, token, validFor, at, forgot }) => ({
    subject: 'Someone asked to change the email address of your Casewatch account',
    parts: [
      `On ${at} someone who knows your password asked to use another email address for your Casewatch account. The change takes effect when the link that we sent there is used. Until then your address stays the same.`,
      `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
      'If this was you, there is nothing to do. If not, stop the change now:',
      { label: 'Stop the change', url: page(STOP_EMAIL_CHANGE_PAGE) + token },
      `The link works once, for ${validFor}. Then choose a new password; it signs out every device:`,
      forgot,
    ],
  }),
  'address-in-use': ({ page, forgot }) => ({
    subject: 'You already have a Casewatch account',
    parts: [
      'You, or someone else, tried to use this email address for a Casewatch account. There already is an account with it.',
      'If that was you, sign in:',
      { label: 'Sign in', url: page('/auth') },
      'If you do not know the password, or did not create that account yourself:',
      forgot,
      'If it was not you, there is nothing to do.',
    ],
  }),
  'email-changed': ({ at, supportUrl }) => ({
    subject: 'Your Casewatch account has another email address',
    parts: [
      `The email address of your Casewatch account was changed on ${at}. From now on you sign in with the new one, and no more emails come here.`,
      ...(supportUrl
        ? [
            'If you did not do this, someone else has access to your account. Contact support at once:',
            { label: 'Contact support', url: supportUrl },
          ]
        : [
            'If you did not do this, someone else has access to your account. Change your password wherever else you use the same one.',
          ]),
    ],
  }),
  'password-changed': ({ mail, at, forgot }) => ({
    subject: 'Your Casewatch password was changed',
    parts: [
      `The password of your Casewatch account was changed on ${at}. All other devices were signed out.`,
      ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
      'If you did not do this, choose a new password now:',
      forgot,
    ],
  }),
  'passkey-added': ({ mail, page, at, forgot }) => ({
    subject: 'A passkey was added to your Casewatch account',
    parts: [
      `A passkey was added to your Casewatch account on ${at}. It opens the account without the password.`,
      `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
      'If this was you, there is nothing to do. If not, remove the passkey in your profile, and choose a new password:',
      { label: 'Open your profile', url: page('/profile') },
      forgot,
    ],
  }),
  'passkey-removed': ({ mail, at, forgot }) => ({
    subject: 'A passkey was removed from your Casewatch account',
    parts: [
      `A passkey was removed from your Casewatch account on ${at}. It no longer opens the account; your password still does.`,
      `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
      'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
      forgot,
    ],
  }),
  'new-device': ({ mail, at, forgot }) => ({
    subject: 'New sign-in to your Casewatch account',
    parts: [
      `Someone signed in to your Casewatch account on a new device on ${at}.`,
      `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
      'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
      forgot,
    ],
  }),
};

const FIRST_PROOF =
  'For your security, all other devices are signed out then, and passkeys that were added before are removed.';
const FIRST_RESET =
  'It also confirms this email address. For your security, passkeys that were added before are removed.';

function passkeysRemain(count: number): string {
  const which =
    count === 1
      ? 'The passkey of your account still opens it.'
      : `The ${count} passkeys of your account still open it.`;
  return `${which} Remove any passkey that you do not recognize in your profile.`;
}

function inWords(minutes: number): string {
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minutes`;
}
