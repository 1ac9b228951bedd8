/** Looks through the built files for what one of the oldest browsers lacks, and exits with 1 where that is not explained below. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OLDEST_BROWSERS } from '../src/config/product.ts';
import { newerInPage, newerInScript, newerInStyles, unexplained } from './find-newer-features.ts';
import { newerFeatures } from './newer-features.ts';

const ASKED_FIRST = 'asks first whether the browser has it';

/** What may be used all the same: how often, and why the page works without it. */
const EXPLAINED: Readonly<Record<string, readonly [uses: number, because: string]>> = {
  '.external': [5, "a field of zod's own"],
  '.getAuthenticatorData': [1, `the passkey library ${ASKED_FIRST}`],
  '.getPublicKey': [1, `the passkey library ${ASKED_FIRST}`],
  '.getPublicKeyAlgorithm': [1, `the passkey library ${ASKED_FIRST}`],
  '.getTransports': [1, `the passkey library ${ASKED_FIRST}`],
  '.handle': [4, "a method of Workbox's own"],
  '.in': [6, "a field of zod's own"],
  '.install': [1, "a method of Workbox's own"],
  '.isConditionalMediationAvailable': [1, `the passkey library ${ASKED_FIRST}`],
  '.pushManager': [2, 'only where the browser has push messages'],
  '.startViewTransition': [1, `React ${ASKED_FIRST}`],
  '.toSorted': [1, 'a method of the ordered map that the toasts bring along'],
  '.when': [2, "a method of zod's own"],
  'Error.captureStackTrace': [5, `zod and the readers of workbooks ${ASKED_FIRST}`],
  Notification: [3, 'only where the browser has push messages'],
  'Notification.permission': [2, 'only where the browser has push messages'],
  'Notification.requestPermission': [1, 'only where the browser has push messages'],
  'URL.canParse': [1, `zod ${ASKED_FIRST}`],
  navigation: [9, `React ${ASKED_FIRST}`],
  'navigator.connection': [2, `React ${ASKED_FIRST}`],
  'navigator.share': [1, 'the button is shown only where the browser has it'],
  'registration.getNotifications': [1, 'only after a push message'],
  'registration.showNotification': [2, 'only after a push message'],
  requestIdleCallback: [1, `the landing page ${ASKED_FIRST}`],
  setImmediate: [2, `React and the reader of workbooks ${ASKED_FIRST}`],
};

/** Declarations that nothing depends on where they are ignored. */
const NICETIES = [
  '-webkit-tap-highlight-color',
  'overflow-anchor',
  'print-color-adjust',
  'resize',
  'text-wrap',
  'text-wrap-style',
  'user-select',
];

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const newer = newerFeatures();
const found = readdirSync(dist, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
  const read = () => readFileSync(dist + file, 'utf8');
  const findings = file.endsWith('.js')
    ? newerInScript(read(), newer)
    : file.endsWith('.css')
      ? newerInStyles(read(), newer)
      : file.endsWith('.html')
        ? newerInPage(read(), newer)
        : [];
  return findings.map((finding) => ({ file, ...finding }));
});
const problems = unexplained(found, EXPLAINED, NICETIES);
const oldest = Object.entries(OLDEST_BROWSERS).map(([name, version]) => `${name} ${version}`);
console.log(`oldest browsers (${oldest.join(', ')}): ${problems.length === 0 ? 'kept' : 'NOT KEPT'}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
