import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Packs entries of a folder with GNU tar: the same files make the same bytes on any machine, whichever owner, time and umask
 * they have there.
 */
export async function tar(folder: string, entries: readonly string[], to: string, owner = 0): Promise<void> {
  await run('tar', [
    ...['--sort=name', '--format=gnu', '--mtime=@0', '--mode=u+rwX,go+rX,go-w'],
    ...[`--owner=${owner}`, `--group=${owner}`, '--numeric-owner'],
    ...['-C', folder, '-cf', to, ...entries],
  ]);
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
export const sha256Of = (file: string): string => sha256(readFileSync(file));
