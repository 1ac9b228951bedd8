import { readdirSync } from 'node:fs';
import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** Administrators and developers read English (docs/adr/0049). */
const IN_ENGLISH = new Set(['admin', 'styleguide']);
const features = readdirSync(new URL('src/features', import.meta.url)).filter(
  (name) => !IN_ENGLISH.has(name),
);

/** Each feature keeps its texts next to its code. */
const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: ['en', 'es'],
  catalogs: [
    ...features.map((name) => catalog(`src/features/${name}`, [`src/features/${name}`])),
    catalog('src', ['src/app', 'src/api', 'src/components', 'src/config', 'src/lib', 'src/i18n']),
  ],
  orderBy: 'message',
  format: formatter({ lineNumbers: false }),
};

export default config;

function catalog(folder: string, include: string[]) {
  return {
    path: `<rootDir>/${folder}/locales/{locale}`,
    include: include.map((source) => `<rootDir>/${source}`),
    exclude: ['**/*.test.ts', '**/*.test.tsx'],
  };
}
