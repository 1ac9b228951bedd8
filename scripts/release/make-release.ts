import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { helm } from '../../tools/kubernetes/src/helm.ts';
import { sha256Of, tar } from './archive.ts';
import { readImageConfig } from './image-config.ts';
import { writeImage } from './oci-image.ts';
import { releaseNotes } from './release-notes.ts';
import { chartOf, packagedPage } from './release-plan.ts';

export interface ReleaseOptions {
  /** Of the repository, with everything installed, generated and built. */
  root: string;
  version: string;
  /** What has changed, as the changelog says it. */
  notes: string;
  /** Commit and its time, ISO 8601. */
  revision: string;
  created: string;
  platforms: readonly string[];
  /** OCI layout of the base image; undefined: the image does not run by itself. */
  base: string | undefined;
  /** Ed25519. */
  key: KeyObject;
  /** Folder for the results; made anew. */
  out: string;
}

const run = promisify(execFile);
/** The packages that hold a binary of a platform: what the image's `node_modules` are for. */
const BINARIES: Readonly<Record<string, string>> = {
  'linux/amd64': '@node-rs/argon2-linux-x64-gnu',
  'linux/arm64': '@node-rs/argon2-linux-arm64-gnu',
};
export const PLATFORMS = Object.keys(BINARIES);

/**
 * Writes image, chart, bill of materials, notes, their checksums and a signature over these. The same commit makes the same
 * bytes, apart from the signature's key. Returns the names of the files.
 */
export async function makeRelease(options: ReleaseOptions): Promise<string[]> {
  const { root, version, out, base, platforms, created, revision, key } = options;
  const work = mkdtempSync(path.join(tmpdir(), 'casewatch-release-'));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const named = (ending: string) => path.join(out, `casewatch-${version}${ending}`);
  try {
    const app = path.join(work, 'root/app');
    mkdirSync(app, { recursive: true });
    const others = await otherBinaries(root, platforms, work);
    await run(process.execPath, [
      path.join(root, 'scripts/production-files.mjs'),
      app,
      ...['--version', version],
      ...others.flatMap((pair) => ['--binaries', pair]),
    ]);
    cpSync(path.join(app, 'sbom.cdx.json'), named('.cdx.json'));
    const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
    const digest = await writeImage({
      root: path.join(work, 'root'),
      config: readImageConfig(dockerfile, { VERSION: version, REVISION: revision }),
      ...{ base, platforms, version, created },
      to: named('.oci.tar'),
    });
    await packChart(root, version, digest, work, named('.tgz'));
    writeFileSync(named('.md'), releaseNotes({ ...options, digest, runs: base !== undefined }));
    const files = readdirSync(out).sort();
    const sums = files.map((file) => `${sha256Of(path.join(out, file))}  ${file}\n`).join('');
    writeFileSync(path.join(out, 'SHA256SUMS'), sums);
    writeFileSync(path.join(out, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key));
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    writeFileSync(path.join(out, 'signing-key.pem'), publicKey);
    return [...files, 'SHA256SUMS', 'SHA256SUMS.sig', 'signing-key.pem'];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});
const packedSchema = z.tuple([z.object({ filename: z.string(), integrity: z.string() })]);

/** Brings the binaries of platforms that npm has not installed here, as the lock file names them: `<package>=<folder>`. */
async function otherBinaries(root: string, platforms: readonly string[], work: string): Promise<string[]> {
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')),
  );
  const installed = readdirSync(path.join(root, 'node_modules/@node-rs'));
  const pairs: string[] = [];
  for (const platform of platforms) {
    const name = BINARIES[platform];
    if (!name) throw new Error(`${platform}: there is no binary for it, but for ${PLATFORMS.join(', ')}`);
    if (installed.includes(path.basename(name))) continue;
    const folder = `node_modules/${name}`;
    const { version, integrity } = packages[folder] ?? {};
    const words = ['pack', `${name}@${version}`, '--json', '--pack-destination', work];
    const { stdout } = await run('npm', words, { cwd: work });
    const [packed] = packedSchema.parse(JSON.parse(stdout));
    if (packed.integrity !== integrity) throw new Error(`${name}: is not what package-lock.json says`);
    const unpacked = path.join(work, path.basename(name));
    mkdirSync(unpacked);
    await run('tar', ['-xzf', path.join(work, packed.filename), '-C', unpacked]);
    pairs.push(`${folder}=${path.join(unpacked, 'package')}`);
  }
  return pairs;
}

/** Names the version and the image's digest in the chart; packed again after helm, which writes the time into the package. */
async function packChart(
  root: string,
  version: string,
  digest: string,
  work: string,
  to: string,
): Promise<void> {
  const chart = path.join(work, 'chart/casewatch');
  cpSync(path.join(root, 'charts/casewatch'), chart, { recursive: true });
  const edit = (file: string, change: (text: string) => string) => {
    const at = path.join(chart, file);
    writeFileSync(at, change(readFileSync(at, 'utf8')));
  };
  edit('Chart.yaml', (text) => chartOf(version, text));
  for (const page of ['README.md', 'UPGRADING.md']) edit(page, packagedPage);
  edit('values.yaml', (text) => text.replace(/^ {2}digest: ""$/m, `  digest: "${digest}"`));
  await helm(['package', chart, '--destination', work]);
  const packed = path.join(work, 'packed');
  mkdirSync(packed);
  await run('tar', ['-xzf', path.join(work, `casewatch-${version}.tgz`), '-C', packed]);
  const plain = path.join(work, 'chart.tar');
  await tar(packed, ['casewatch'], plain);
  writeFileSync(to, gzipSync(readFileSync(plain), { level: 9 }));
}
