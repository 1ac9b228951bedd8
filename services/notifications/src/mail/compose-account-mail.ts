import {
  type AccountMail,
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
} from '@casewatch/contracts/account-mails';
import type { AccountMailComposer } from '../domain/account-mails.ts';
import { bodiesOf, messageDomain, UTC } from './compose-mail.ts';
import { type Link, type Letter as MailLetter, oneLine } from './letter.ts';

interface Letter {
  subject: string;
  /** Sentences in order; a link stands on a line of its own. */
  parts: readonly (string | Link)[];
}

/** Where people get support, if anywhere. */
interface Support {
  supportEmail?: string | undefined;
  supportUrl?: string | undefined;
}

const FOOTER = 'Casewatch is an unofficial tool and is not affiliated with any government agency.';

/**
 * The e-mails about an account. Links begin with the configured public URL, whatever the request said, and their tokens
 * are in the fragment, which neither servers nor logs see. Opening one changes nothing: the page asks for a click.
 */
export function createAccountMailComposer({
  from,
  publicUrl,
  ...support
}: Support & {
  from: string;
  publicUrl: string;
}): AccountMailComposer {
  const page = (path: string) => new URL(path, publicUrl).href;
  return (mail) => {
    const { subject, parts } = letterOf(mail, page, supportLink(support, mail.mailId));
    const letter: MailLetter = {
      title: subject,
      parts: parts.map((part) =>
        typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'link', ...part },
      ),
      footer: [FOOTER],
    };
    return {
      to: mail.to,
      subject,
      ...bodiesOf(letter),
      messageId: `<${mail.mailId}.account@${messageDomain(from)}>`,
      date: new Date(mail.requestedAt),
    };
  };
}

function letterOf(mail: AccountMail, page: (path: string) => string, support: Link | undefined): Letter {
  const token = mail.token === null ? '' : `#${encodeURIComponent(mail.token)}`;
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
          'If you did not ask for this, ignore this e-mail. Your password stays as it is.',
        ],
      };
    case 'confirm-email':
      return {
        subject: 'Confirm your e-mail address',
        parts: [
          mail.isNewAccount
            ? 'Welcome to Casewatch. Confirm that this e-mail address is yours, to get e-mails when a case moves and to use Pro.'
            : 'You asked to use this e-mail address for your Casewatch account. Nothing changes until you confirm that it is yours.',
          { label: 'Confirm this e-mail address', url: page(CONFIRM_EMAIL_PAGE) + token },
          `The link works once, for ${validFor}.`,
          ...(mail.isNewAccount
            ? [
                'If you did not create this account, do not confirm. Someone else may have typed your address by mistake; you can make the account yours:',
                forgot,
              ]
            : ['If you did not ask for this, ignore this e-mail.']),
        ],
      };
    case 'address-in-use':
      return {
        subject: 'You already have a Casewatch account',
        parts: [
          'You, or someone else, tried to use this e-mail address for a Casewatch account. There already is an account with it.',
          'If that was you, sign in:',
          { label: 'Sign in', url: page('/auth') },
          'If you do not know the password, or did not create that account yourself:',
          forgot,
          'If it was not you, there is nothing to do.',
        ],
      };
    case 'email-changed':
      return {
        subject: 'Your Casewatch account has another e-mail address',
        parts: [
          `The e-mail address of your Casewatch account was changed on ${moment(mail)}. From now on you sign in with the new one, and no more e-mails come here.`,
          ...(support
            ? [
                'If you did not do this, someone else has access to your account. Contact support at once:',
                support,
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
          `The password of your Casewatch account was changed on ${moment(mail)}. All other devices were signed out.`,
          ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
          'If you did not do this, choose a new password now:',
          forgot,
        ],
      };
    case 'passkey-added':
      return {
        subject: 'A passkey was added to your Casewatch account',
        parts: [
          `A passkey was added to your Casewatch account on ${moment(mail)}. It opens the account without the password.`,
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
          `A passkey was removed from your Casewatch account on ${moment(mail)}. It no longer opens the account; your password still does.`,
          `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
          'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
          forgot,
        ],
      };
    case 'new-device':
      return {
        subject: 'New sign-in to your Casewatch account',
        parts: [
          `Someone signed in to your Casewatch account on a new device on ${moment(mail)}.`,
          `Device: ${oneLine(mail.device ?? 'unknown')}. Network: ${oneLine(mail.network ?? 'unknown')}.`,
          'If this was you, there is nothing to do. If not, choose a new password now; it signs out every device:',
          forgot,
        ],
      };
  }
}

function passkeysRemain(count: number): string {
  const which =
    count === 1
      ? 'The passkey of your account still opens it.'
      : `The ${count} passkeys of your account still open it.`;
  return `${which} Remove any passkey that you do not recognize in your profile.`;
}

/** A link that names the e-mail; undefined where there is no support. */
function supportLink({ supportEmail, supportUrl }: Support, mailId: string): Link | undefined {
  const label = 'Contact support';
  if (supportEmail) {
    const subject = encodeURIComponent(`Casewatch support (${mailId})`);
    return {
      label,
      url: `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}`,
    };
  }
  if (!supportUrl) return undefined;
  const url = new URL(supportUrl);
  url.searchParams.set('reference', mailId);
  return { label, url: url.href };
}

const moment = ({ requestedAt }: AccountMail) => `${UTC.format(new Date(requestedAt))} UTC`;

function inWords(minutes: number): string {
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minutes`;
}
