import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sampleEvents } from './sample-events.ts';

/** Folder of what each version promised, within the repository (docs/adr/0062). */
const RECORDS = 'scripts/test/releases';

/**
 * Records what this tree promises to the versions after it: the SQL that makes its schemas, and its events, as their messages
 * (`proto/baseline.binpb`) and as samples. Returns the folder. @throws when the version was released: its record never changes.
 */
export function recordVersion(root: string, version: string, tags: readonly string[]): string {
  if (tags.includes(`v${version}`)) throw new Error(`${version} is released: its record stays as it is.`);
  const folder = path.join(root, RECORDS, version);
  rmSync(folder, { recursive: true, force: true });
  for (const file of globSync('services/*/migrations/*.sql', { cwd: root })) {
    const [, service = ''] = file.split(path.sep);
    cpSync(path.join(root, file), path.join(folder, 'migrations', service, path.basename(file)));
  }
  const events = path.join(folder, 'migrations/events');
  cpSync(path.join(root, 'packages/messaging/migrations'), events, { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'events.json'), `${JSON.stringify(sampleEvents(), null, 2)}\n`);
  const buf = path.join(root, 'node_modules/.bin/buf');
  const build = ['build', '--exclude-source-info', '-o', 'baseline.binpb'];
  execFileSync(buf, build, { cwd: path.join(root, 'proto'), stdio: 'inherit' });
  return folder;
}

/** `npm run record`: while a version is not released, for a change of its schema or events. A release does it by itself. */
if (import.meta.main) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(read('package.json'));
  const tags = execFileSync('git', ['tag'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  console.log(recordVersion(root, version, tags));
}
