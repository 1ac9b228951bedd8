import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const GO_ENV = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly', GOTOOLCHAIN: 'local' };
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

export interface GoProgram {
  /** Folder with the `go.mod` that pins it. */
  moduleFolder: string;
  name: string;
  package: string;
  tags?: readonly string[];
  /** What the linker writes into variables, `package.variable=value`. */
  stamps?: (versionOf: (module: string) => string) => readonly string[];
}

/**
 * Path of a Go program, built from source the first time (minutes for the larger ones, at low priority) and kept in
 * the user's cache folder. @throws an error that says how to get Go where it is missing
 */
export async function goProgram(program: GoProgram): Promise<string> {
  const { moduleFolder, name, tags = [] } = program;
  const binary = path.join(goCacheFolder(moduleFolder), name);
  if (existsSync(binary)) return binary;
  mkdirSync(path.dirname(binary), { recursive: true });
  // Built beside its place and renamed, so that any number of runs may do it at the same time.
  const made = `${binary}.${process.pid}`;
  const stamps = program.stamps?.((module) => goModuleVersion(moduleFolder, module)) ?? [];
  const flags = ['-s', '-w', ...stamps.map((stamp) => `-X ${stamp}`)].join(' ');
  const words = ['build', '-tags', tags.join(), '-ldflags', flags, '-o', made, program.package];
  await go(moduleFolder, words);
  renameSync(made, binary);
  return binary;
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
    throw new Error('go does not run: install Go 1.26 or newer, or put it into the PATH', { cause: error });
  }
}

export function goModuleVersion(moduleFolder: string, module: string): string {
  const line = new RegExp(`^\\s*(?:require )?${module.replaceAll('.', '\\.')} (v\\S+)`, 'm');
  const version = line.exec(readFileSync(path.join(moduleFolder, 'go.mod'), 'utf8'))?.[1];
  if (!version) throw new Error(`go.mod does not name ${module}`);
  return version;
}

/** Where programs, and what is made from their sources, are kept: a folder per module and set of versions. */
export function goCacheFolder(moduleFolder: string): string {
  const pinned = hash('sha256', readFileSync(path.join(moduleFolder, 'go.sum'), 'utf8')).slice(0, 12);
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(base, 'casewatch', `${path.basename(path.resolve(moduleFolder))}-tools-${pinned}`);
}
