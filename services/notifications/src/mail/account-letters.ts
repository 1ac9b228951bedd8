import {
  type AccountMail,
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
} from '@casewatch/contracts/account-mails';
import { type Link, oneLine } from './letter.ts';

export interface AccountLetter {
  readonly subject: string;
  /** Sentences in order; a link stands on a line of its own. */
  readonly parts: readonly (string | Link)[];
}

/** Writes the e-mail about an account in one language; `at`: when it was requested, `supportUrl`: where there is support, if anywhere. */
export type AccountLetterWriter = (
  mail: AccountMail,
  known: { page: (path: string) => string; at: string; supportUrl: string | undefined },
) => AccountLetter;

/** The fragment of a link. */
export const tokenOf = ({ token }: AccountMail): string =>
  token === null ? '' : `#${encodeURIComponent(token)}`;

/** What the e-mails about an account say. */
export const englishLetter: AccountLetterWriter = (mail, { page, at, supportUrl }) => {
  const token = tokenOf(mail);
  const forgot = { label: 'Choose a new password', url: page(FORGOT_PASSWORD_PAGE) };
  const validFor = mail.tokenMinutes === null ? '' : inWords(mail.tokenMinutes);
  switch (mail.kind) {
    case 'reset-password':
      return {
        subject: 'Reset your Casewatch password',
        parts: [
          'You, or someone else, asked to reset the password of your Casewatch account.',
          { label: 'Choose a new password', url: page(RESET_PASSWORD_PAGE) + token },
          `The link works once, for ${validFor}.`,
          'If you did not ask for this, ignore this email. Your password stays as it is.',
        ],
      };
    case 'confirm-email':
      return {
        subject: 'Confirm your email address',
        parts: [
          mail.isNewAccount
            ? 'Welcome to Casewatch. Confirm that this email address is yours, to get emails when a case moves and to use Pro.'
            : 'You asked to use this email address for your Casewatch account. Nothing changes until you confirm that it is yours.',
          { label: 'Confirm this email address', url: page(CONFIRM_EMAIL_PAGE) + token },
          `The link works once, for ${validFor}.`,
          ...(mail.isNewAccount
            ? [
                'If you did not create this account, do not confirm. Someone else may have typed your address by mistake; you can make the account yours:',
                forgot,
              ]
            : ['If you did not ask for this, ignore this email.']),
        ],
      };
    case 'address-in-use':
      return {
        subject: 'You already have a Casewatch account',
        parts: [
          'You, or someone else, tried to use this email address for a Casewatch account. There already is an account with it.',
          'If that was you, sign in:',
          { label: 'Sign in', url: page('/auth') },
          'If you do not know the password, or did not create that account yourself:',
          forgot,
          'If it was not you, there is nothing to do.',
        ],
      };
    case 'email-changed':
      return {
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
      };
    case 'password-changed':
      return {
        subject: 'Your Casewatch password was changed',
        parts: [
          `The password of your Casewatch account was changed on ${at}. All other devices were signed out.`,
          ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
          'If you did not do this, choose a new password now:',
          forgot,
        ],
      };
    case 'passkey-added':
      return {
        subject: 'A passkey was added to your Casewatch account',
        parts: [
          `A passkey was added to your Casewatch account on ${at}. It opens the account without the password.`,
          `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
          'If this was you, there is nothing to do. If not, remove the passkey in your profile, and choose a new password:',
          { label: 'Open your profile', url: page('/profile') },
          forgot,
        ],
      };
    case 'passkey-removed':
      return {
        subject: 'A passkey was removed from your Casewatch account',
        parts: [
          `A passkey was removed from your Casewatch account on ${at}. It no longer opens the account; your password still does.`,
          `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
          'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
          forgot,
        ],
      };
    case 'new-device':
      return {
        subject: 'New sign-in to your Casewatch account',
        parts: [
          `Someone signed in to your Casewatch account on a new device on ${at}.`,
          `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
          'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
          forgot,
        ],
      };
  }
};

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
