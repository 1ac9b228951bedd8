import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractEndpoints } from './scripts/contract-endpoints.ts';
import { htmlHead } from './scripts/html-head.ts';
import { installableApp } from './scripts/installable-app.ts';
import { translatedTexts } from './scripts/translated-texts.ts';

const APP_DATA =
  /node_modules\/@tanstack\/(query-core|react-query)\/|\/src\/api\/(api-error|call-api|session|user-data|offline|waiting-changes|saved-case-data|other-tabs|query-client|data-changes|read-unless-signed-out)\.ts|\/src\/lib\/kept-mark|vite\/preload-helper/;

export default defineConfig({
  plugins: [contractEndpoints(), translatedTexts(), react(), htmlHead(), installableApp()],
  server: {
    // The product's own port, where `npm start` serves the API.
    proxy: { '/api': { target: 'http://127.0.0.1:8080' } },
  },
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
    target: 'es2022',
    manifest: true,
    sourcemap: false,
    // Everything is a file of this origin: the content security policy needs no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'landing.html'],
      output: {
        // React changes seldom: a file of its own stays in browsers' caches from release to release.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // What every screen of the app loads anyway: apart, each piece would be compressed on its own.
            { name: 'app-data', test: APP_DATA },
          ],
        },
      },
    },
  },
});
