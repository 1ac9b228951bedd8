import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { sha256, tar } from './archive.ts';
import { type ImageConfig, mergeConfig } from './image-config.ts';

export interface ImageOptions {
  /** Folder that holds `app` with the product's files. */
  root: string;
  /** Time of the commit, ISO 8601. */
  created: string;
  config: ImageConfig;
  /** OCI layout of the base image; undefined: the product's own layers only, which do not run by themselves. */
  base: string | undefined;
  /** `linux/amd64` and the like. */
  platforms: readonly string[];
  version: string;
  /** File to write, a tar of an OCI layout. */
  to: string;
}

const OCI = 'application/vnd.oci.image';
const APP_USER = 1000;

const descriptor = z.looseObject({
  mediaType: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.int(),
  platform: z.looseObject({ os: z.string(), architecture: z.string() }).optional(),
});
type Descriptor = z.infer<typeof descriptor>;
const indexSchema = z.looseObject({ manifests: z.array(descriptor) });
const manifestSchema = z.looseObject({ config: descriptor, layers: z.array(descriptor) });
const configSchema = z.looseObject({
  config: z.looseObject({ Env: z.array(z.string()).optional() }).optional(),
  rootfs: z.looseObject({ diff_ids: z.array(z.string()) }),
  history: z.array(z.looseObject({})).optional(),
});
type BaseConfig = z.infer<typeof configSchema>;

/**
 * Writes an image for several platforms without a container engine: the base's layers, and over them the product's, which are
 * the same everywhere. Returns the digest of the whole, which a registry keeps. The same input makes the same bytes.
 */
export async function writeImage(options: ImageOptions): Promise<string> {
  const { root, created, base, platforms, config, version, to } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-image-'));
  const blobs = path.join(folder, 'layout/blobs/sha256');
  mkdirSync(blobs, { recursive: true });

  function keep(mediaType: string, bytes: Buffer): Descriptor {
    const hex = sha256(bytes);
    writeFileSync(path.join(blobs, hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  }
  const keepJson = (kind: string, value: object) =>
    keep(`${OCI}.${kind}.v1+json`, Buffer.from(JSON.stringify(value)));

  async function layer(folderOf: string, entry: string, owner: number) {
    const file = path.join(folder, 'layer.tar');
    await tar(folderOf, [entry], file, owner);
    const bytes = readFileSync(file);
    return {
      diffId: `sha256:${sha256(bytes)}`,
      kept: keep(`${OCI}.layer.v1.tar+gzip`, gzipSync(bytes, { level: 9 })),
    };
  }

  function manifestOf(platform: string, layers: Awaited<ReturnType<typeof layer>>[]): Descriptor {
    const [os = '', architecture = ''] = platform.split('/');
    const from = base === undefined ? undefined : readBase(base, platform);
    const below = from?.layers.map(({ mediaType, digest, size }) => {
      writeFileSync(path.join(blobs, digest.slice(7)), blobOf(from.layout, digest));
      return {
        mediaType: mediaType.replace(/^.*diff\.tar\.gzip$/, `${OCI}.layer.v1.tar+gzip`),
        digest,
        size,
      };
    });
    const own = layers.map(() => ({ created, created_by: `casewatch ${version}` }));
    const made = keepJson('config', {
      created,
      architecture,
      os,
      config: mergeConfig(from?.config.config ?? {}, config),
      rootfs: {
        type: 'layers',
        diff_ids: [...(from?.config.rootfs.diff_ids ?? []), ...layers.map(({ diffId }) => diffId)],
      },
      ...(from?.config.history ? { history: [...from.config.history, ...own] } : {}),
    });
    const mediaType = `${OCI}.manifest.v1+json`;
    const all = [...(below ?? []), ...layers.map(({ kept }) => kept)];
    const manifest = keepJson('manifest', { schemaVersion: 2, mediaType, config: made, layers: all });
    return { ...manifest, platform: { os, architecture } };
  }

  try {
    mkdirSync(path.join(folder, 'data'));
    const layers = [await layer(root, 'app', 0), await layer(folder, 'data', APP_USER)];
    const manifests = platforms.map((platform) => manifestOf(platform, layers));
    const mediaType = `${OCI}.index.v1+json`;
    const index = keepJson('index', { schemaVersion: 2, mediaType, manifests });
    const annotations = { 'org.opencontainers.image.ref.name': version };
    const layout = path.join(folder, 'layout');
    writeFileSync(path.join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const top = { schemaVersion: 2, mediaType, manifests: [{ ...index, annotations }] };
    writeFileSync(path.join(layout, 'index.json'), JSON.stringify(top));
    await tar(layout, ['oci-layout', 'index.json', 'blobs'], to);
    return index.digest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function blobOf(layout: string, digest: string): Buffer {
  const bytes = readFileSync(path.join(layout, 'blobs/sha256', digest.slice(7)));
  if (sha256(bytes) !== digest.slice(7)) throw new Error(`${layout}: the blob ${digest} is damaged`);
  return bytes;
}

/** @throws when the layout has no image for the platform. */
function readBase(
  layout: string,
  platform: string,
): { layout: string; layers: Descriptor[]; config: BaseConfig } {
  const json = (digest: string) => JSON.parse(blobOf(layout, digest).toString()) as unknown;
  const find = ({ manifests }: z.infer<typeof indexSchema>): Descriptor | undefined => {
    for (const each of manifests) {
      const nested = each.mediaType.includes('index') || each.mediaType.includes('manifest.list');
      const found = nested ? find(indexSchema.parse(json(each.digest))) : each;
      if (found?.platform && `${found.platform.os}/${found.platform.architecture}` === platform) return found;
    }
    return undefined;
  };
  const top: unknown = JSON.parse(readFileSync(path.join(layout, 'index.json'), 'utf8'));
  const found = find(indexSchema.parse(top));
  if (!found) throw new Error(`${layout}: there is no image for ${platform}`);
  const { config, layers } = manifestSchema.parse(json(found.digest));
  return { layout, layers, config: configSchema.parse(json(config.digest)) };
}
