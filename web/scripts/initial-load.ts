/** The part of Vite's manifest that lists what loads what. */
export type Manifest = Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; assets?: string[] }
>;

/** Returns the scripts among `initialFiles`. */
export function initialScripts(manifest: Manifest, entries: readonly string[]): string[] {
  return initialFiles(manifest, entries).filter((file) => file.endsWith('.js'));
}

/**
 * Returns the scripts and styles that a browser loads for some entries of a manifest: theirs and, all the way down, those of what
 * they import statically. Each once. Throws for an entry that the manifest does not have.
 */
export function initialFiles(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no ${key}`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) if (/\.(js|css)$/.test(file)) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return [...files];
}

/**
 * Returns every file that an entry may ever load, at once or later: scripts, styles and what those show. Modules for which
 * `includes` says no are left out with what they alone load.
 */
export function everythingLoaded(
  manifest: Manifest,
  entry: string,
  includes: (module: string) => boolean,
): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (seen.has(key) || !chunk || !includes(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    for (const loaded of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(loaded);
  };
  visit(entry);
  return files;
}
