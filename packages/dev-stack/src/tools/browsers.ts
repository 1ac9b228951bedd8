import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const FIREFOX = '/usr/bin/firefox-esr';
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
export const XVFB = '/usr/bin/Xvfb';
/** Debian's own: its packages of WebKitGTK are for no other. */
export const PYTHON = '/usr/bin/python3';

const FIREFOX_PACKAGES = ['firefox-esr'];
const WEBKIT_PACKAGES = ['webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1'];
const WEBKIT_IN_PYTHON = 'import gi; gi.require_version("WebKit2", "4.1")';

/** Installs Firefox ESR where it is not, from Debian's packages and as root. @throws an error that says how to get it */
export async function getFirefox(): Promise<void> {
  if (!existsSync(FIREFOX)) install('Firefox ESR', FIREFOX_PACKAGES);
}

/** Installs WebKitGTK, its driver and a screen for it in the same way. @throws an error that says how to get them */
export async function getWebKit(): Promise<void> {
  const programs = [WEBKIT_DRIVER, XVFB, PYTHON];
  if (!programs.every((file) => existsSync(file)) || !hasWebKit()) install('WebKitGTK', WEBKIT_PACKAGES);
}

function hasWebKit(): boolean {
  try {
    execFileSync(PYTHON, ['-c', WEBKIT_IN_PYTHON], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function install(name: string, packages: readonly string[]): void {
  const words = ['install', '--yes', '--no-install-recommends', ...packages];
  try {
    apt('update');
    apt(...words);
  } catch (cause) {
    throw new Error(`${name} is needed: on Debian, as root: apt-get ${words.join(' ')}`, { cause });
  }
}

/** Waits for its turn where another process installs. */
function apt(...words: string[]): void {
  execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
