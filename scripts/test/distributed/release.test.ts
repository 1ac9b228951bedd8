import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helm, valueWords } from '../../../tools/kubernetes/src/helm.ts';
import { sha256, sha256Of } from '../../release/archive.ts';
import { makeRelease, PLATFORMS } from '../../release/make-release.ts';
import { startCommand } from '../run-command.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The one whose binaries npm has installed here: no other needs to be brought. */
const platform = process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64';
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-release-test-'));
const inFirst = (file: string) => path.join(folder, 'first', file);
const base = path.join(folder, 'base');
const baseLayer = Buffer.from('the layer of the base');

beforeAll(async () => {
  writeBase();
  const { privateKey: key } = generateKeyPairSync('ed25519');
  for (const name of ['first', 'second']) {
    await makeRelease({
      ...{ root, base, key, platforms: [platform], version: '9.8.7', notes: '### Added\n\n- A door.' },
      ...{ revision: 'abc', created: '2026-03-01T12:00:00+01:00', out: path.join(folder, name) },
    });
  }
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An image of two platforms, as skopeo writes it. */
function writeBase(): void {
  const blobs = path.join(base, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const keep = (mediaType: string, content: object | Buffer) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    writeFileSync(path.join(blobs, sha256(bytes)), bytes);
    return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const manifests = PLATFORMS.map((each) => {
    const [os, architecture] = each.split('/');
    const config = keep('application/vnd.docker.container.image.v1+json', {
      ...{ os, architecture, config: { Env: ['PATH=/usr/bin', 'PORT=1'], Cmd: ['node'] } },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256('base')}`] },
    });
    const layers = [keep('application/vnd.docker.image.rootfs.diff.tar.gzip', baseLayer)];
    return {
      ...keep('application/vnd.oci.image.manifest.v1+json', { config, layers }),
      platform: { os, architecture },
    };
  });
  const nested = keep('application/vnd.oci.image.index.v1+json', { schemaVersion: 2, manifests });
  writeFileSync(path.join(base, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [nested] }));
}

/** A JSON file of the image's layout, by its path or digest. */
function layoutJson(name: string) {
  const file = name.replace(/^sha256:/, 'blobs/sha256/');
  return JSON.parse(blob(file).toString());
}
const blob = (file: string) =>
  execFileSync('tar', ['-xOf', inFirst('casewatch-9.8.7.oci.tar'), file], { maxBuffer: 1e9 });

test('the same commit makes the same bytes', () => {
  const sums = readFileSync(inFirst('SHA256SUMS'), 'utf8');
  expect(readFileSync(path.join(folder, 'second/SHA256SUMS'), 'utf8')).toBe(sums);
  const files = sums
    .trim()
    .split('\n')
    .map((line) => line.split('  '));
  expect(files.map(([, file]) => file)).toEqual(
    ['.cdx.json', '.md', '.oci.tar', '.tgz'].map((ending) => `casewatch-9.8.7${ending}`),
  );
  for (const [sum, file = ''] of files) expect(sha256Of(inFirst(file))).toBe(sum);
});

test('the notes say what has changed, and how to check the signature: other sums do not pass', () => {
  const notes = readFileSync(inFirst('casewatch-9.8.7.md'), 'utf8');
  expect(notes).toContain('- A door.');
  const [, command = ''] = /^(openssl .*)$/m.exec(notes) ?? [];
  const check = () =>
    execFileSync('sh', ['-c', command], { cwd: inFirst('.'), encoding: 'utf8', stdio: 'pipe' });
  expect(check()).toContain('Signature Verified Successfully');
  const sums = readFileSync(inFirst('SHA256SUMS'));
  writeFileSync(inFirst('SHA256SUMS'), sums.toString().replace('.tgz', '.tar'));
  try {
    expect(check).toThrow();
  } finally {
    writeFileSync(inFirst('SHA256SUMS'), sums);
  }
});

test("the image has the base's layers and the product's over them, and runs as the Dockerfile says", () => {
  const [index] = layoutJson('index.json').manifests;
  const [manifest] = layoutJson(index.digest).manifests;
  expect(`${manifest.platform.os}/${manifest.platform.architecture}`).toBe(platform);
  const { config, layers } = layoutJson(manifest.digest);
  expect(layers[0]).toMatchObject({
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: `sha256:${sha256(baseLayer)}`,
  });
  const { config: run, rootfs } = layoutJson(config.digest);
  expect(run).toMatchObject({ User: '1000:1000', Entrypoint: ['node', '/app/dist/container.js'], Cmd: null });
  expect(run.Env).toEqual(expect.arrayContaining(['PATH=/usr/bin', 'PORT=8080']));
  expect(run.Env).not.toContain('PORT=1');
  const [app, data] = layers
    .slice(1)
    .map(({ digest }: { digest: string }) =>
      gunzipSync(blob(digest.replace(':', '/').replace(/^/, 'blobs/'))),
    );
  expect(rootfs.diff_ids).toEqual(['base', app, data].map((bytes) => `sha256:${sha256(bytes)}`));
  const listed = (bytes: Buffer) => execFileSync('tar', ['-tvf', '-'], { input: bytes, encoding: 'utf8' });
  expect(listed(app)).toMatch(/^-rw-r--r-- 0\/0 .* app\/dist\/container\.js$/m);
  expect(listed(data)).toMatch(/^drwxr-xr-x 1000\/1000 .* data\/$/m);
});

test('the chart names the version and the image by its digest, and so does the bill of materials', async () => {
  const [index] = layoutJson('index.json').manifests;
  const chart = inFirst('casewatch-9.8.7.tgz');
  const lines = (await helm(['show', 'chart', chart])).split('\n');
  expect(lines).toEqual(expect.arrayContaining(['appVersion: 9.8.7', 'version: 9.8.7']));
  const rendered = await helm(['template', 'r', chart, ...valueWords(['small'])]);
  const images = [...rendered.matchAll(/^\s+image: "?(\S*casewatch[^\s"]*)/gm)].map(([, image]) => image);
  expect(new Set(images)).toEqual(new Set([`casewatch@${index.digest}`]));
  const bill = JSON.parse(readFileSync(inFirst('casewatch-9.8.7.cdx.json'), 'utf8'));
  expect(bill.metadata.component).toMatchObject({ name: 'casewatch', version: '9.8.7' });
});

test.each([
  [['0.0.1', '--dry-run'], '0.0.1 is below'],
  [['latest', '--dry-run'], 'latest is no version'],
  [[], 'npm run release -- <version>'],
])('the command %j is refused in a sentence', async (words, sentence) => {
  const refused = startCommand(folder, 'scripts/release/release.ts', words);
  expect(await refused.code).toBe(1);
  expect(refused.output()).toContain(sentence);
  expect(refused.output()).not.toContain('    at ');
});
