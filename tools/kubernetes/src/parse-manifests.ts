import { parseAllDocuments } from 'yaml';

/** A manifest; tests look into what they are about. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  readonly [field: string]: unknown;
}

/** Returns the manifests in what `helm template` writes. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS({ maxAliasCount: -1 }))
    .filter((manifest) => manifest !== null);
}
