/** Weighs the scripts that first loads need, the service worker and what it keeps, and exits with 1 when one is over its budget. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initialScripts, type Manifest } from './initial-load.ts';
import { PACKAGE_LIST, type PackageList } from './package-list.ts';

interface Budget {
  name: string;
  entries: string[];
  /** Thousands of bytes of gzip. */
  limitKb: number;
  /** Packages that must not be in the load at all. */
  forbidden: string[];
  /** Modules that are loaded later, each in a script of its own. */
  later?: string[];
  /** What is loaded already and does not count. */
  after?: string[];
}

const BUDGETS: Budget[] = [
  ...['landing', 'guide'].map((page) => ({
    name: `${page} page`,
    entries: [`${page}.html`],
    limitKb: 3,
    forbidden: [
      'react',
      'react-dom',
      '@lingui/core',
      'zod',
      'react-router',
      'react-router-dom',
      '@tanstack/react-query',
      'react-bootstrap',
      '@stripe/stripe-js',
    ],
  })),
  {
    name: 'signed-in shell with the home page',
    entries: ['index.html', 'src/features/lookup/home-page.tsx'],
    limitKb: 160,
    forbidden: ['zod', '@stripe/stripe-js'],
    later: [
      'src/features/admin/admin-page.tsx',
      'src/features/surveys/survey-prompt.tsx',
      'src/features/saved-cases/case-table.tsx',
      'src/lib/webauthn.ts',
    ],
  },
  {
    name: 'admin area',
    entries: ['index.html', 'src/features/admin/admin-page.tsx'],
    limitKb: 200,
    forbidden: ['@stripe/stripe-js'],
    later: ['src/features/lookup/home-page.tsx'],
  },
  {
    name: 'table of the saved cases, after their page',
    entries: ['src/features/saved-cases/case-table.tsx'],
    after: ['index.html', 'src/features/saved-cases/saved-cases-page.tsx'],
    limitKb: 35,
    forbidden: ['zod'],
  },
  ...['en', 'es'].map((language) => ({
    name: `texts in the language ${language}`,
    entries: [`src/i18n/catalog-${language}.ts`],
    after: ['index.html'],
    limitKb: 45,
    forbidden: ['zod'],
  })),
  {
    name: 'passkeys, after the sign-in',
    entries: ['src/lib/webauthn.ts'],
    after: ['index.html', 'src/features/auth/auth-page.tsx'],
    limitKb: 12,
    forbidden: ['zod'],
  },
];

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifest: Manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));
const packages: PackageList = JSON.parse(readFileSync(`${dist}${PACKAGE_LIST}`, 'utf8'));

/** The service worker itself, gzipped, and everything that it loads once to have it offline, as browsers keep it. */
const WORKER_LIMIT_KB = 10;
const PRECACHE_LIMIT_KB = 1_400;

for (const budget of BUDGETS) if (!isKept(budget)) process.exitCode = 1;
if (!isWorkerKept()) process.exitCode = 1;

function isWorkerKept(): boolean {
  const listed = [...readFileSync(`${dist}sw.js`, 'utf8').matchAll(/"?url"?:\s*["'`]\/(assets\/[^"'`]+)/g)];
  const files = listed.flatMap(([, file]) => (file === undefined ? [] : [file]));
  const workerKb = statSync(`${dist}sw.js.gz`).size / 1000;
  const precacheKb = files.reduce((sum, file) => sum + statSync(`${dist}${file}`).size, 0) / 1000;
  const onlineOnly = ['src/features/admin/admin-page.tsx', 'landing.html'].flatMap((module) =>
    files.filter((file) => file === manifest[module]?.file),
  );
  const isLight = workerKb <= WORKER_LIMIT_KB && precacheKb <= PRECACHE_LIMIT_KB && files.length > 0;
  console.log(
    `service worker: ${workerKb.toFixed(1)} kB (gzip) of ${WORKER_LIMIT_KB} kB, keeps ${files.length} files of ${precacheKb.toFixed(0)} kB, ${isLight ? 'within' : 'OVER'} its ${PRECACHE_LIMIT_KB} kB`,
  );
  if (onlineOnly.length > 0) console.error(`service worker: must not keep ${onlineOnly.join(', ')}`);
  return isLight && onlineOnly.length === 0;
}

function isKept({ name, entries, limitKb, forbidden, later = [], after = [] }: Budget): boolean {
  const before = new Set(initialScripts(manifest, after));
  const scripts = initialScripts(manifest, entries).filter((file) => !before.has(file));
  const sizeKb = scripts.reduce((sum, file) => sum + statSync(`${dist}${file}.gz`).size, 0) / 1000;
  const intruders = forbidden.filter((name) => scripts.some((file) => packages[file]?.includes(name)));
  const early = later.filter((module) => scripts.includes(initialScripts(manifest, [module])[0] ?? ''));
  const verdict = sizeKb <= limitKb ? 'within' : 'OVER';
  console.log(`${name}: ${sizeKb.toFixed(1)} kB of JavaScript (gzip), ${verdict} its ${limitKb} kB`);
  if (intruders.length > 0) console.error(`${name}: must not load ${intruders.join(', ')}`);
  if (early.length > 0) console.error(`${name}: must be loaded later: ${early.join(', ')}`);
  return sizeKb <= limitKb && intruders.length === 0 && early.length === 0;
}
