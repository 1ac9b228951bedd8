import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withCacheLock } from './cache-lock.ts';
import { isIntact, publishChecked, testCacheFolder } from './make-once.ts';

const run = promisify(execFile);
const GO_ENV = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly', GOTOOLCHAIN: 'local' };
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** How the programs of one Go module are built. */
export interface GoModule {
  /** Folder with the `go.mod` that pins them. */
  moduleFolder: string;
  tags?: readonly string[];
  /** What the linker writes into variables, `package.variable=value`. */
  stamps?: (versionOf: (module: string) => string) => readonly string[];
}

export interface GoProgram extends GoModule {
  name: string;
  package: string;
}

/**
 * Returns the path of a Go program, built from source the first time (minutes for the larger ones, at low priority) and kept in
 * the user's cache folder with its checksum. @throws an error that says how to get Go where it is missing
 */
export async function goProgram(program: GoProgram): Promise<string> {
  await goPrograms(program, { [program.name]: program.package });
  return path.join(goCacheFolder(program.moduleFolder), program.name);
}

/**
 * Builds those programs of a module, by name, that are not there yet or are damaged; all in one run of Go, which
 * compiles what they share once. However many ask at the same time, here and in other processes, one builds.
 */
export async function goPrograms(
  module: GoModule,
  packages: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = goCacheFolder(module.moduleFolder);
  const missing = async () => {
    const names = Object.keys(packages);
    const whole = await Promise.all(names.map((name) => isIntact(path.join(folder, name))));
    return names.filter((_, index) => !whole[index]);
  };
  if ((await missing()).length === 0) return;
  await withCacheLock(path.join(folder, 'build.lock'), async () => {
    const names = await missing();
    if (names.length === 0) return;
    console.error(`tools: building ${names.join(', ')} with Go, which takes minutes the first time`);
    const made = mkdtempSync(path.join(folder, 'made-'));
    try {
      // Several are named by Go, after their packages.
      const alone = names.length === 1;
      const fileOf = (name: string) => path.join(made, alone ? name : binaryName(packages[name] ?? ''));
      const output = alone ? fileOf(names[0] ?? '') : `${made}/`;
      await build(
        module,
        output,
        names.map((name) => packages[name] ?? ''),
      );
      for (const name of names) await publishChecked(fileOf(name), path.join(folder, name));
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  });
}

async function build(
  { moduleFolder, tags = [], stamps }: GoModule,
  output: string,
  packages: readonly string[],
): Promise<void> {
  const variables = stamps?.((module) => goModuleVersion(moduleFolder, module)) ?? [];
  const flags = ['-s', '-w', ...variables.map((variable) => `-X ${variable}`)].join(' ');
  await go(moduleFolder, ['build', '-tags', tags.join(), '-ldflags', flags, '-o', output, ...packages]);
}

/** As Go names it: the last part of the package's path that is not a major version. */
function binaryName(goPackage: string): string {
  return goPackage.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? goPackage;
}

/** Runs `go` in a module's folder; resolves with what it wrote. */
export async function go(moduleFolder: string, words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('nice', ['-n', '10', 'go', ...words], {
      cwd: moduleFolder,
      env: { ...process.env, ...GO_ENV },
      maxBuffer: OUTPUT_LIMIT_BYTES,
    });
    return stdout;
  } catch (error) {
    if (await run('go', ['version']).catch(() => undefined)) throw error;
    throw new Error(
      'go does not run: install Go 1.26 or newer (https://go.dev/dl), or put it into the PATH',
      {
        cause: error,
      },
    );
  }
}

export function goModuleVersion(moduleFolder: string, module: string): string {
  const line = new RegExp(`^\\s*(?:require )?${module.replaceAll('.', '\\.')} (v\\S+)`, 'm');
  const version = line.exec(readFileSync(path.join(moduleFolder, 'go.mod'), 'utf8'))?.[1];
  if (!version) throw new Error(`go.mod does not name ${module}`);
  return version;
}

/** Returns where programs, and what is made from their sources, are kept: a folder per module and set of versions. */
export function goCacheFolder(moduleFolder: string): string {
  const pinned = hash('sha256', readFileSync(path.join(moduleFolder, 'go.sum'), 'utf8')).slice(0, 12);
  const folder = path.join(testCacheFolder(), `${path.basename(path.resolve(moduleFolder))}-tools-${pinned}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}
