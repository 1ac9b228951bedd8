import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { makeRelease, PLATFORMS } from './make-release.ts';
import { recordVersion } from './record-version.ts';
import { filesOfVersion, planRelease, ReleaseRefused } from './release-plan.ts';

/** `npm run release -- <version> [--dry-run]`: docs/adr/0052. */
const USAGE = `npm run release -- <version> [--dry-run] [--base <folder>] [--platform <list>] [--out <folder>]

  --dry-run   write the files, signed by a key of the moment; change nothing in the repository
  --base      OCI layout of the base image that the Dockerfile names; needed unless --dry-run:
              skopeo copy --all docker://node:… oci:base
  --platform  ${PLATFORMS.join(',')} unless given
  --out       dist/release unless given

RELEASE_SIGNING_KEY holds the Ed25519 key, as PEM; needed unless --dry-run.`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

try {
  await release();
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { values: words, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      base: { type: 'string' },
      platform: { type: 'string', default: PLATFORMS.join() },
      out: { type: 'string', default: path.join(root, 'dist/release') },
    },
  });
  const [version] = positionals;
  if (!version || positionals.length > 1) throw new ReleaseRefused(USAGE);
  const isDry = words['dry-run'];
  const tags = git('tag').trim().split('\n');
  const { notes } = planRelease({
    version,
    packageVersion: z.object({ version: z.string() }).parse(JSON.parse(read('package.json'))).version,
    tags,
    status: git('status', '--porcelain'),
    changelog: read('CHANGELOG.md'),
  });
  const key = signingKey(isDry);
  if (!isDry && !words.base) throw new ReleaseRefused(`The image needs its base.\n\n${USAGE}`);
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  const [revision = '', created = ''] = git('log', '-1', '--format=%H %cI').trim().split(' ');
  const platforms = words.platform.split(',');
  const out = path.resolve(words.out);
  const files = await makeRelease({
    ...{ root, version, notes, revision, created, platforms, key, out },
    base: words.base && path.resolve(words.base),
  });
  console.log(`${out}:\n${files.map((file) => `  ${file}`).join('\n')}`);
  if (isDry) return;
  recordVersion(root, version, tags);
  const day = created.slice(0, 10);
  for (const [file, text] of filesOfVersion(version, day, read)) writeFileSync(path.join(root, file), text);
  console.log(`The version stands in the repository now: commit that, and tag ${revision} as v${version}.`);
}

/** @throws ReleaseRefused when there is none, or another kind */
function signingKey(isDry: boolean): KeyObject {
  const given = process.env.RELEASE_SIGNING_KEY;
  if (isDry) return generateKeyPairSync('ed25519').privateKey;
  try {
    const key = createPrivateKey(given ?? '');
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without the key.
  }
  throw new ReleaseRefused('RELEASE_SIGNING_KEY must hold an Ed25519 key as PEM.');
}
