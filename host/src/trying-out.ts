import type { DataFolder } from './data-folder.ts';

/** The folder's own passcode, unless one is set. */
export function adminPasscode({ secrets }: DataFolder): { ADMIN_PASSCODE: string } {
  return { ADMIN_PASSCODE: process.env.ADMIN_PASSCODE || secrets.adminPasscode };
}

/** What a person at the terminal wants to know next: what is simulated, how to sign in, how to pay, the admin area. */
export function howToTryOut(started: {
  url: string;
  folder: DataFolder;
  agencyUrl: string | undefined;
  paymentsUrl: string | undefined;
}): string[] {
  const { url, folder, agencyUrl, paymentsUrl } = started;
  const passcode = process.env.ADMIN_PASSCODE ? 'as set in ADMIN_PASSCODE' : folder.secrets.adminPasscode;
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
    `  Admin area: ${url}/admin, passcode: ${passcode}`,
  ];
}
