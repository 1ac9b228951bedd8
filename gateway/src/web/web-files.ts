import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** One form of a file: as it is, or compressed. */
export interface Variant {
  readonly content: Buffer;
  /** Of this form's own bytes, as RFC 9110, 8.8.3 asks. */
  readonly etag: string;
}

export interface WebFile {
  readonly type: string;
  readonly plain: Variant;
  readonly br: Variant | undefined;
  readonly gzip: Variant | undefined;
}

/** URL path -> file. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};
const FALLBACK_TYPE = 'application/octet-stream';
/** The best one takes ten times as long for a few per cent. */
const BROTLI_QUALITY = 6;
const COMPRESSED = /\.(?:br|gz)$/;

/**
 * Reads the built web app into memory, so that a request touches no file and no path can lead outside. A folder
 * that does not exist has no files. Changes on disk show at the next start.
 */
export function readWebFiles(root: string | undefined): WebFiles {
  const files = new Map<string, WebFile>();
  if (!root || !existsSync(root)) return files;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || COMPRESSED.test(entry.name) || entry.name.startsWith('.')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const url = `/${path.relative(root, file).split(path.sep).map(encodeURIComponent).join('/')}`;
    files.set(url, {
      type: TYPES[path.extname(file)] ?? FALLBACK_TYPE,
      plain: readVariant(file),
      br: existsSync(`${file}.br`) ? readVariant(`${file}.br`) : undefined,
      gzip: existsSync(`${file}.gz`) ? readVariant(`${file}.gz`) : undefined,
    });
  }
  return files;
}

function readVariant(file: string): Variant {
  return variant(readFileSync(file));
}

function variant(content: Buffer): Variant {
  return { content, etag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"` };
}

/** Changes the text of HTML files, by their paths. */
export function editPages(files: WebFiles, edit: (page: string, path: string) => string): WebFiles {
  return new Map(
    [...files].map(([path, file]) => {
      if (!path.endsWith('.html')) return [path, file];
      const page = String(file.plain.content);
      const edited = edit(page, path);
      return [path, edited === page ? file : compressed(file.type, edited)];
    }),
  );
}

/** Returns a file made here, compressed here. */
export function compressed(type: string, text: string): WebFile {
  const content = Buffer.from(text);
  return {
    type,
    plain: variant(content),
    br: variant(
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    ),
    gzip: variant(gzipSync(content)),
  };
}
