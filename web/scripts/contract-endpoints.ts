import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { z } from 'zod';

const CONTRACT = '@casewatch/contracts/';
const ENDPOINTS = '/src/api/endpoints.ts';
const SUFFIX = '?endpoints';
const endpointSchema = z.object({ method: z.string(), path: z.string() });

/**
 * Lets `src/api/endpoints.ts` export the route contracts as their method and path: schemas, and with them zod, stay out
 * of the browser's first load. Other files import contracts whole. A changed contract needs a new start of the dev server.
 */
export function contractEndpoints(): Plugin {
  return {
    name: 'casewatch:contract-endpoints',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.startsWith(CONTRACT) || !importer?.endsWith(ENDPOINTS)) return undefined;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && `${resolved.id}${SUFFIX}`;
    },
    async load(id) {
      if (!id.endsWith(SUFFIX)) return undefined;
      const contracts: Record<string, unknown> = await import(
        pathToFileURL(id.slice(0, -SUFFIX.length)).href
      );
      return Object.entries(contracts)
        .flatMap(([name, value]) => {
          const endpoint = endpointSchema.safeParse(value).data;
          return endpoint ? [`export const ${name} = ${JSON.stringify(endpoint)};`] : [];
        })
        .join('\n');
    },
  };
}
