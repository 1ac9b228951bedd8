import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildTarget } from './scripts/build-target.ts';
import { contractEndpoints } from './scripts/contract-endpoints.ts';
import { htmlHead } from './scripts/html-head.ts';
import { installableApp } from './scripts/installable-app.ts';
import { precomputedNames } from './scripts/precomputed-names.ts';
import { translatedTexts } from './scripts/translated-texts.ts';

/** What every screen of the app loads anyway: apart, each piece would be compressed on its own. */
const APP_DATA = new RegExp(
  [
    'node_modules/@tanstack/(query-core|react-query)/',
    String.raw`/src/api/(api-error|call-api|session|user-data|offline|waiting-changes|saved-case-data|other-tabs)\.ts`,
    String.raw`/src/api/(query-client|data-changes|use-latest-signal)\.ts`,
    '/src/lib/(kept-mark|own-path|web-address|format-number|server-texts|skipped-surveys)',
    '/contracts/src/(app-pages|receipt-number|server-paths|translations)',
    'oxc-project',
    'vite/preload-helper',
  ].join('|'),
);

export default defineConfig({
  plugins: [
    contractEndpoints(),
    precomputedNames(),
    translatedTexts(),
    react(),
    htmlHead(),
    installableApp(),
  ],
  server: {
    // The product's own port, where `npm start` serves the API.
    proxy: { '/api': { target: 'http://127.0.0.1:8080' } },
  },
  // Modules, so that the reader of workbooks is loaded for a workbook only.
  worker: { format: 'es' },
  css: {
    preprocessorOptions: {
      scss: {
        // Bootstrap 5.3 is written with what Sass will drop in version 3.
        quietDeps: true,
        silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
      },
    },
  },
  build: {
    target: buildTarget,
    manifest: true,
    sourcemap: false,
    // Everything is a file of this origin: the content security policy needs no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'browsers.html', 'guide.html', 'policy.html'],
      // No class here has a setter that a field of a subclass hides: assigning is shorter than defining.
      transform: { assumptions: { setPublicClassFields: true } },
      output: {
        // React changes seldom: a file of its own stays in browsers' caches from release to release.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'app-data', test: APP_DATA },
          ],
        },
      },
    },
  },
});
