import { createECDH, createHmac } from 'node:crypto';
import path from 'node:path';
import type { DataFolder } from './data-folder.ts';
import type { Simulation } from './simulation.ts';

/** Returns what the folder makes of itself, unless it is set: the admin passcode, what signs links in e-mails, and what seals keys. */
export function ownSecrets({
  secrets,
}: DataFolder): Record<'ADMIN_PASSCODE' | 'MAIL_SECRET' | 'INTERNAL_SECRET', string> {
  return {
    ADMIN_PASSCODE: process.env.ADMIN_PASSCODE || secrets.adminPasscode,
    MAIL_SECRET: process.env.MAIL_SECRET || derive(secrets, 'MAIL_SECRET').toString('base64url'),
    INTERNAL_SECRET: process.env.INTERNAL_SECRET || derive(secrets, 'INTERNAL_SECRET').toString('base64url'),
  };
}

/** Returns the keys of push messages that the folder makes of itself, unless any is set. */
export function ownPushKeys({ secrets }: DataFolder, env: NodeJS.ProcessEnv): Partial<PushEnvironment> {
  if (env.PUSH_VAPID_PUBLIC_KEY || env.PUSH_VAPID_PRIVATE_KEY) return {};
  const privateKey = derive(secrets, 'PUSH_VAPID_PRIVATE_KEY');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return {
    PUSH_VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
    PUSH_VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
    PUSH_SUBJECT: env.PUSH_SUBJECT || operatorOf(env),
  };
}

/** Push services want a way to reach the operator. Where none is known, an address under `.example` reaches no one by accident. */
function operatorOf({ SUPPORT_EMAIL, PUBLIC_URL }: NodeJS.ProcessEnv): string {
  if (SUPPORT_EMAIL) return `mailto:${SUPPORT_EMAIL}`;
  return PUBLIC_URL?.startsWith('https://') ? PUBLIC_URL : 'mailto:operator@casewatch.example';
}

type PushEnvironment = Record<'PUSH_VAPID_PUBLIC_KEY' | 'PUSH_VAPID_PRIVATE_KEY' | 'PUSH_SUBJECT', string>;

const derive = ({ roleSecret }: DataFolder['secrets'], purpose: string) =>
  createHmac('sha256', roleSecret).update(purpose).digest();

/** With a mail server e-mails about accounts are sent too, unless it is set otherwise. */
export function accountMails({ SMTP_URL }: NodeJS.ProcessEnv): { ACCOUNT_MAILS?: string } {
  return SMTP_URL ? { ACCOUNT_MAILS: 'true' } : {};
}

/**
 * Returns an address for support, where the agency is simulated on loopback and none is set: the texts of the product promise support, and
 * an address under `.example` (RFC 2606) reaches no one by accident.
 */
export function supportForEvaluation(
  { SUPPORT_EMAIL, SUPPORT_URL }: NodeJS.ProcessEnv,
  { agency, isOutside }: Simulation,
): { SUPPORT_EMAIL?: string } {
  if (!agency || isOutside || SUPPORT_EMAIL || SUPPORT_URL) return {};
  return { SUPPORT_EMAIL: 'support@casewatch.example' };
}

/** Returns where people open a product on this machine, unless it is set: links in e-mails and invitations lead there. */
export function ownAddress({ PUBLIC_URL, PORT }: NodeJS.ProcessEnv): { PUBLIC_URL?: string } {
  const port = Number(PORT || 0);
  return PUBLIC_URL || port === 0 ? {} : { PUBLIC_URL: `http://localhost:${port}` };
}

/** Returns what a person at the terminal wants to know next: what is simulated, how to sign in, how to pay, the admin area. */
export function howToTryOut(started: {
  url: string;
  folder: DataFolder;
  simulation: Simulation;
  agencyUrl: string | undefined;
  paymentsUrl: string | undefined;
  mailboxUrl: string | undefined;
}): string[] {
  const { url, folder, simulation, agencyUrl, paymentsUrl, mailboxUrl } = started;
  const control = (isOn: boolean, simulatorUrl: string) =>
    isOn ? ` (control API: ${simulatorUrl}/__control)` : '';
  return [
    ...(agencyUrl ? [`  The agency is simulated${control(simulation.agencyControl, agencyUrl)}.`] : []),
    ...(agencyUrl && simulation.demoAccounts
      ? ['  Sign in as free@demo.test or pro@demo.test, password demo-demo-demo; try EAC9999103403.']
      : []),
    ...(paymentsUrl
      ? [
          `  Payments are simulated${control(simulation.paymentsControl, paymentsUrl)}: pay with card 4242 4242 4242 4242.`,
        ]
      : []),
    ...(mailboxUrl ? [`  Emails are shown at ${mailboxUrl}, and delivered nowhere.`] : []),
    `  Admin area: ${url}/admin, passcode: ${passcode()}`,
  ];

  /** Printed only when everything is simulated: a terminal's output is kept and shared, and real data needs a real secret. */
  function passcode(): string {
    if (process.env.ADMIN_PASSCODE) return 'as set in ADMIN_PASSCODE';
    if (agencyUrl && paymentsUrl && !simulation.isOutside) return folder.secrets.adminPasscode;
    return `adminPasscode in ${path.join(folder.path, 'secrets.json')}, until you set ADMIN_PASSCODE`;
  }
}

/** Returns a line for each feature that is off because a part is missing, with the settings that turn it on. */
export function whatIsOff(env: NodeJS.ProcessEnv): string[] {
  const isPayable = env.STRIPE_SECRET_KEY && env.STRIPE_PUBLISHABLE_KEY;
  return [
    ...(isPayable
      ? []
      : [
          '  Off: Pro is not offered. Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
        ]),
    ...(env.SMTP_URL ? [] : ['  Off: no emails are sent. Set SMTP_URL and MAIL_FROM.']),
    ...(env.SUPPORT_EMAIL || env.SUPPORT_URL
      ? []
      : ['  Off: no support is offered. Set SUPPORT_EMAIL or SUPPORT_URL.']),
  ];
}
