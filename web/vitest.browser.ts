import { fileURLToPath } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { chromium } from 'playwright';
import { defineConfig } from 'vitest/config';
import { contractEndpoints } from './scripts/contract-endpoints.ts';
import { precomputedNames } from './scripts/precomputed-names.ts';
import { translatedTexts } from './scripts/translated-texts.ts';
import app from './vite.config.ts';

const { executablePath, args } = await findChromium(chromium.executablePath());

/** Component tests of the web app in a real browser; the API is doubled at `fetch` (`test/fake-api.ts`). */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [contractEndpoints(), precomputedNames(), translatedTexts(), react()],
  ...(app.css ? { css: app.css } : {}),
  // Found while tests run, a dependency would reload the page under them.
  optimizeDeps: {
    include: [
      '@radix-ui/react-toast',
      '@stripe/stripe-js/pure',
      '@tanstack/react-query',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      '@lingui/core',
      '@lingui/react',
      'axe-core',
      'date-fns/addDays',
      'date-fns/differenceInCalendarDays',
      'date-fns/format',
      'date-fns/isValid',
      'date-fns/parse',
      'date-fns/parseISO',
      'fflate',
      'idb-keyval',
      'markdown-it',
      'papaparse',
      'react',
      'react-bootstrap/Modal',
      'react-bootstrap/Nav',
      'react-bootstrap/Tab',
      'react-bootstrap/Tabs',
      'react-dom',
      'react-dom/client',
      'react-dom/server',
      'react-router-dom',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      'read-excel-file/universal',
      'vitest-browser-react',
      'workbox-window',
      'zod',
    ],
  },
  test: {
    name: 'web',
    include: ['test/**/*.test.tsx'],
    // Two pages, each in a browser context of its own: focus, storage and the viewport are not shared.
    maxWorkers: 2,
    // As in the other projects: the second that is vitest's default passes on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: { args, ...(executablePath ? { executablePath } : {}) },
        contextOptions: { locale: 'en-US', timezoneId: 'UTC' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
