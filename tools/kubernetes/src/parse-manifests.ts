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

/** Returns the manifests in what `helm template` writes. @throws on what is no YAML, such as a key that is there twice */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      for (const error of document.errors) throw error;
      return document.toJS({ maxAliasCount: -1 });
    })
    .filter((manifest) => manifest !== null);
}
