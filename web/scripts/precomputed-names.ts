import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const NAMES = /\/contracts\/src\/es\/status-names\.ts$/;

/**
 * Replaces the module of the Spanish names of statuses by its value: it reads them from the status guide, which would get into the
 * first load with it. A changed name needs a new start of the dev server.
 */
export function precomputedNames(): Plugin {
  return {
    name: 'casewatch:precomputed-names',
    enforce: 'pre',
    async load(id) {
      if (!NAMES.test(id)) return undefined;
      const names: Record<string, unknown> = await import(pathToFileURL(id).href);
      return Object.entries(names)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
