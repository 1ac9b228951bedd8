/** Builds the web app into dist/: the app and its service worker, the prerendered pages, and a compressed copy of every text. */
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { writePackageList } from './package-list.ts';
import { precompress } from './precompress.ts';
import { prerenderPages } from './prerender-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;
const serverDir = `${root}.cache/pages`;

const built = await build({ root, logLevel: 'warn' });
await writePackageList(dist, built);
// By the name that operators and proxies know service workers by.
await rename(`${dist}/service-worker.js`, `${dist}/sw.js`);

await build({
  root,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: 'src/app/rendered-pages.ts',
    outDir: serverDir,
    emptyOutDir: true,
    manifest: false,
  },
});
await prerenderPages(dist, `${serverDir}/rendered-pages.js`);
await rm(serverDir, { recursive: true, force: true });

await precompress(dist);
