import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { mutatedId } from './mutated-sources.ts';
import type { Mutation } from './mutation.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Applies the mutations to every module that this test imports from now on, by `await import(…)`; what was imported
 * before stays as it is. An import fails when a text to replace is missing.
 */
export function mutateImports(mutations: readonly Mutation[]): void {
  vi.resetModules();
  for (const [file, ofFile] of Map.groupBy(mutations, (mutation) => mutation.file)) {
    vi.doMock(root + file, () => import(mutatedId(root + file, ofFile)));
    onTestFinished(() => void vi.doUnmock(root + file));
  }
  onTestFinished(() => void vi.resetModules());
}
