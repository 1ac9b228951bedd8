import { parseAllDocuments } from 'yaml';
import type { Manifest } from './helm.ts';

/** The manifests in what `helm template` writes. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS({ maxAliasCount: -1 }))
    .filter((manifest) => manifest !== null);
}
