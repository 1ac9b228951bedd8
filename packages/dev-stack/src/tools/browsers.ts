import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const FIREFOX = '/usr/bin/firefox-esr';

/** Installs Firefox ESR where it is not, from Debian's packages and as root. @throws an error that says how to get it */
export async function getFirefox(): Promise<void> {
  if (existsSync(FIREFOX)) return;
  try {
    apt('update');
    apt('install', '--yes', '--no-install-recommends', 'firefox-esr');
  } catch (cause) {
    const advice = 'on Debian, as root: apt-get install --no-install-recommends firefox-esr';
    throw new Error(`Firefox ESR is needed at ${FIREFOX}; ${advice}`, { cause });
  }
}

/** Waits for its turn where another process installs. */
function apt(...words: string[]): void {
  execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
