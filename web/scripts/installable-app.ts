import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { APP_PAGE_PATH } from '@casewatch/contracts/server-paths';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { everythingLoaded, type Manifest } from './initial-load.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const CANVAS = '#f6f4ef';
const CANVAS_DARK = '#0f1716';

/** Modules of what works online only: the admin area, paying, and the landing page. */
const ONLINE_ONLY = /^src\/(features\/(admin|upgrade|landing)|app\/landing)/;

/**
 * Builds the manifest and the service worker, which keeps the app's page and everything that its offline screens
 * load. The app registers it itself (`src/features/offline`); the development server has none.
 */
export function installableApp(): Plugin[] {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src',
    filename: 'service-worker.ts',
    injectRegister: false,
    includeManifestIcons: false,
    integration: {
      configureCustomSWViteBuild: (worker) => {
        worker.logLevel = 'warn';
      },
    },
    manifest: {
      id: '/',
      name: 'Casewatch: Immigration Case Status',
      short_name: 'Casewatch',
      description: 'Look up and follow US immigration cases by receipt number. Unofficial.',
      lang: 'en',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: CANVAS,
      background_color: CANVAS,
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
      shortcuts: [
        { name: 'Look up a case', short_name: 'Look up', url: '/' },
        { name: 'Saved cases', url: '/saved-cases' },
      ],
      // Not in the plugin's types yet: https://github.com/w3c/manifest/issues/975
      ...{ color_scheme_dark: { theme_color: CANVAS_DARK, background_color: CANVAS_DARK } },
    },
    injectManifest: {
      rollupFormat: 'iife',
      globPatterns: ['assets/*', 'index.html', 'favicon.svg'],
      globIgnores: ['**/*.{br,gz}'],
      manifestTransforms: [onlyTheOfflineApp],
      // Hashed names: the name alone says which version it is.
      dontCacheBustURLsMatching: /^assets\//,
    },
  });
}

interface Entry {
  url: string;
  revision: string | null;
  size: number;
}

async function onlyTheOfflineApp(entries: Entry[]): Promise<{ manifest: Entry[] }> {
  const built: Manifest = JSON.parse(await readFile(`${dist}.vite/manifest.json`, 'utf8'));
  const files = everythingLoaded(built, 'index.html', (module) => !ONLINE_ONLY.test(module));
  const kept = entries.filter(({ url }) => !url.startsWith('assets/') || files.has(url));
  // The server has the page under the app's addresses only.
  return {
    manifest: kept.map((entry) => ({
      ...entry,
      url: entry.url === 'index.html' ? APP_PAGE_PATH : `/${entry.url}`,
    })),
  };
}
