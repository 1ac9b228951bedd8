import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './stages.ts';

/**
 * Returns vitest's words for the unit and component tests of the workspaces that changed since `ref`, committed or not.
 * Where only code changed, those tests that import it, however indirectly; a migration or a setting is imported by no
 * test, so that it takes all of its workspace's. Undefined when no workspace changed.
 */
export function relatedTests(ref: string): string[] | undefined {
  const files = changedFiles(ref);
  const touched = workspaces().filter((folder) => files.some((file) => file.startsWith(`${folder}/`)));
  if (touched.length === 0) return undefined;
  const inTouched = files.filter((file) => touched.some((folder) => file.startsWith(`${folder}/`)));
  const onlyCode = inTouched.every((file) => /\.(ts|tsx|mjs|md|css|scss)$/.test(file));
  return [
    ...['--project=unit', '--project=component'],
    ...(onlyCode ? [`--changed=${ref}`] : []),
    ...touched.map((folder) => `${folder}/`),
  ];
}

/** Returns the commit where this branch left `main`; on `main` itself, what is not committed. */
export function changeBegins(): string {
  for (const main of ['origin/main', 'main']) {
    const base = git(['merge-base', 'HEAD', main])?.trim();
    if (base) return base;
  }
  return 'HEAD';
}

function changedFiles(ref: string): string[] {
  const changed = git(['diff', '--name-only', ref]);
  if (changed === undefined) throw new Error(`git knows no commit "${ref}"`);
  const added = git(['ls-files', '--others', '--exclude-standard']) ?? '';
  return `${changed}\n${added}`.split('\n').filter(Boolean);
}

function workspaces(): string[] {
  const { workspaces: globs }: { workspaces: string[] } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return [...globSync(globs, { cwd: root }), 'scripts'];
}

function git(words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
