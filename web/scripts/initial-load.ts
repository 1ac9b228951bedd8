/** The part of Vite's manifest that tells what loads what. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

/**
 * The scripts that a browser loads for some entries of a manifest: theirs and, all the way down, those they
 * import statically. Each once. Throws for an entry that the manifest does not have.
 */
export function initialScripts(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no ${key}`);
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return [...files];
}
