import { writeFile } from 'node:fs/promises';
import type { build } from 'vite';

/** Where the list stands in dist/: for each script the npm packages that it holds code of. */
export const PACKAGE_LIST = '.vite/packages.json';

export type PackageList = Record<string, string[]>;

/** Writes down which packages went into which script, for `check-budget.ts`. */
export async function writePackageList(
  dist: string,
  built: Awaited<ReturnType<typeof build>>,
): Promise<void> {
  const list: PackageList = {};
  for (const bundle of Array.isArray(built) ? built : [built]) {
    if (!('output' in bundle)) continue;
    for (const chunk of bundle.output) {
      if (chunk.type === 'chunk') list[chunk.fileName] = packagesOf(chunk.moduleIds);
    }
  }
  await writeFile(`${dist}/${PACKAGE_LIST}`, JSON.stringify(list));
}

function packagesOf(moduleIds: readonly string[]): string[] {
  const names = moduleIds.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
