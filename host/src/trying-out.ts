import { createECDH, createHmac } from 'node:crypto';
import path from 'node:path';
import type { DataFolder } from './data-folder.ts';

/** What the folder makes of itself, unless it is set: the admin passcode, and what signs links in e-mails. */
export function ownSecrets({ secrets }: DataFolder): { ADMIN_PASSCODE: string; MAIL_SECRET: string } {
  return {
    ADMIN_PASSCODE: process.env.ADMIN_PASSCODE || secrets.adminPasscode,
    MAIL_SECRET: process.env.MAIL_SECRET || derive(secrets, 'MAIL_SECRET').toString('base64url'),
  };
}

/** The keys of push messages that the folder makes of itself, unless any is set. */
export function ownPushKeys({ secrets }: DataFolder, env: NodeJS.ProcessEnv): Partial<PushEnvironment> {
  if (env.PUSH_VAPID_PUBLIC_KEY || env.PUSH_VAPID_PRIVATE_KEY) return {};
  const privateKey = derive(secrets, 'PUSH_VAPID_PRIVATE_KEY');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return {
    PUSH_VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
    PUSH_VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
    // Push services want a way to reach the operator; an address under `.example` reaches no one by accident.
    PUSH_SUBJECT: env.PUSH_SUBJECT || 'mailto:operator@casewatch.example',
  };
}

type PushEnvironment = Record<'PUSH_VAPID_PUBLIC_KEY' | 'PUSH_VAPID_PRIVATE_KEY' | 'PUSH_SUBJECT', string>;

const derive = ({ roleSecret }: DataFolder['secrets'], purpose: string) =>
  createHmac('sha256', roleSecret).update(purpose).digest();

/**
 * An address for support, where the agency is simulated and none is set: the texts of the product promise support, and an
 * address under `.example` (RFC 2606) reaches no one by accident.
 */
export function supportForTryingOut(env: NodeJS.ProcessEnv): { SUPPORT_EMAIL?: string } {
  if (env.AGENCY_CLIENT_ID || env.SUPPORT_EMAIL || env.SUPPORT_URL) return {};
  return { SUPPORT_EMAIL: 'support@casewatch.example' };
}

/** Where people open a product on this machine, unless it is set: links in e-mails and invitations lead there. */
export function ownAddress({ PUBLIC_URL, PORT }: NodeJS.ProcessEnv): { PUBLIC_URL?: string } {
  const port = Number(PORT || 0);
  return PUBLIC_URL || port === 0 ? {} : { PUBLIC_URL: `http://localhost:${port}` };
}

/** What a person at the terminal wants to know next: what is simulated, how to sign in, how to pay, the admin area. */
export function howToTryOut(started: {
  url: string;
  folder: DataFolder;
  agencyUrl: string | undefined;
  paymentsUrl: string | undefined;
  mailboxUrl?: string | undefined;
}): string[] {
  const { url, folder, agencyUrl, paymentsUrl, mailboxUrl } = started;
  return [
    ...(agencyUrl
      ? [
          `  The agency is simulated (control API: ${agencyUrl}/__control).`,
          '  Sign in as free@demo.test or pro@demo.test, password demo-demo-demo; try EAC9999103403.',
        ]
      : []),
    ...(paymentsUrl
      ? [
          `  Payments are simulated (control API: ${paymentsUrl}/__control): pay with card 4242 4242 4242 4242.`,
        ]
      : []),
    ...(mailboxUrl ? [`  Emails are shown at ${mailboxUrl}, and delivered nowhere.`] : []),
    `  Admin area: ${url}/admin, passcode: ${passcode()}`,
  ];

  /** Printed only when everything is simulated: a terminal's output is kept and shared, and real data needs a real secret. */
  function passcode(): string {
    if (process.env.ADMIN_PASSCODE) return 'as set in ADMIN_PASSCODE';
    if (agencyUrl && paymentsUrl) return folder.secrets.adminPasscode;
    return `adminPasscode in ${path.join(folder.path, 'secrets.json')}, until you set ADMIN_PASSCODE`;
  }
}
