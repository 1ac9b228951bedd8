import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `node scripts/try-changes.ts [name]`: applies the patches in `docs/changes/`, or the named one, to a scratch copy of the tree,
 * where the checks pass with them. So the walkthroughs of CONTRIBUTING.md, which name the files of each, are true. All
 * share one pass of the checks, which costs a fifth of one for each.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const patches = path.join(root, 'docs', 'changes');
/** Compare what is generated, or hold for every route, event and status title. */
const ALWAYS = [
  'scripts/docs-events.test.ts',
  'scripts/docs-mixin.test.ts',
  'scripts/docs-settings.test.ts',
  'packages/contracts/src',
];

const wanted = process.argv[2];
const names = readdirSync(patches)
  .map((file) => path.basename(file, '.patch'))
  .filter((name) => wanted === undefined || name === wanted);
if (names.length === 0) throw new Error(`there is no docs/changes/${wanted}.patch`);

const copy = mkdtempSync(path.join(tmpdir(), 'casewatch-changes-'));
try {
  copyTree();
  const files = new Set(names.flatMap(applyPatch));
  check([...files]);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${names.length} changes applied, and the checks pass with them: ${names.join(', ')}`);

/** Returns the files that the patch touches. */
function applyPatch(name: string): string[] {
  const patch = path.join(patches, `${name}.patch`);
  const files = filesOf(patch);
  const described = filesDescribed(name);
  if (files.join() !== described.join()) {
    throw new Error(
      `CONTRIBUTING.md names other files for ${name} than its patch touches:\n${described.join('\n')}\n\n${files.join('\n')}`,
    );
  }
  run('git', ['apply', patch]);
  return files;
}

function check(files: readonly string[]): void {
  if (files.some((file) => file.startsWith('proto/'))) node('scripts/generate.mjs');
  const code = files.filter((file) => /\.tsx?$/.test(file));
  const own = code.filter((file) => /\.test\.ts$/.test(file));
  const alerts = files.some((file) => file.includes('alerts'))
    ? ['tools/observability/test/alert-rules.test.ts']
    : [];
  node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...code);
  node('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '.');
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
  if (files.some((file) => file.startsWith('web/')))
    node('node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.json');
  node('node_modules/vitest/vitest.mjs', 'run', ...own, ...alerts, ...unitFoldersOf(files), ...ALWAYS);
}

/** Tracked and new files, generated code, and links to the installed packages; the product's own lead into the copy. */
function copyTree(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const generated = globSync('{services/*/src,proto}/generated', { cwd: root });
  for (const file of [...String(listed).split('\0').filter(Boolean), ...generated]) {
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  }
  const modules = path.join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name === '@casewatch' || name === '.cache') continue;
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  cpSync(path.join(root, 'node_modules', '@casewatch'), path.join(modules, '@casewatch'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

function filesOf(patch: string): string[] {
  return [...readFileSync(patch, 'utf8').matchAll(/^diff --git a\/(\S+) /gm)]
    .map(([, file = '']) => file)
    .sort();
}

/** Paths in backticks below the heading that ends with the patch's name, up to the next heading. */
function filesDescribed(name: string): string[] {
  const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = page
    .split(/^### /m)
    .find((text) => text.split('\n')[0]?.includes(`docs/changes/${name}.patch`));
  if (section === undefined)
    throw new Error(`CONTRIBUTING.md does not walk through docs/changes/${name}.patch`);
  const body = section.slice(section.indexOf('\n')).split(/^## /m)[0] ?? '';
  return [...body.matchAll(/`([\w.@/-]+\/[\w.@-]+\.\w+)`/g)].map(([, file = '']) => file).sort();
}

/** Unit tests lie beside the source that changed. */
function unitFoldersOf(files: readonly string[]): string[] {
  return [...new Set(files.filter((file) => /\/src\/.*\.ts$/.test(file)).map((file) => path.dirname(file)))];
}

function node(...words: string[]): void {
  run(process.execPath, words);
}

function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, CI: 'true' },
  });
  if (status !== 0)
    throw new Error(`failed in the scratch copy: ${path.basename(command)} ${words.join(' ')}`);
}
