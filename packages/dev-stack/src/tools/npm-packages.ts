import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from './make-once.ts';

const run = promisify(execFile);

export interface PinnedNpmPackages {
  /** Of the program, in messages: `Lighthouse`. */
  readonly program: string;
  /** Path of a folder whose `package.json` and `package-lock.json` pin it; no part of the product's own lock. */
  readonly pinned: string;
}

/** Installs pinned packages from the npm registry the first time into the user's cache. Returns their folder. @throws without a registry */
export async function installNpmPackages({ program, pinned }: PinnedNpmPackages): Promise<string> {
  const stamp = hash('sha256', readFileSync(path.join(pinned, 'package-lock.json'))).slice(0, 12);
  const folder = path.join(testCacheFolder(), `${program.toLowerCase()}-${stamp}`);
  await makeOnce(folder, async (made) => {
    mkdirSync(made);
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(pinned, file), path.join(made, file));
    const npm = process.env.npm_execpath;
    const [command, words] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    try {
      await run(command, [...words, 'ci', ...quiet], { cwd: made });
    } catch (cause) {
      throw new Error(
        `${program} could not be installed: npm has to reach its registry, or a mirror it is set up for.`,
        { cause },
      );
    }
  });
  return folder;
}
