import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readWebFiles } from '../src/web/web-files.ts';

test('every file of the folder has an address and a type that browsers know, compressed forms and hidden ones have none', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'casewatch-files-'));
  const types: Record<string, string> = {
    'page.html': 'text/html; charset=utf-8',
    'app.js': 'text/javascript; charset=utf-8',
    'app.css': 'text/css; charset=utf-8',
    'data.json': 'application/json',
    'manifest.webmanifest': 'application/manifest+json',
    'robots.txt': 'text/plain; charset=utf-8',
    'sitemap.xml': 'application/xml',
    'icon.svg': 'image/svg+xml',
    'icon.png': 'image/png',
    'photo.jpg': 'image/jpeg',
    'photo.webp': 'image/webp',
    'photo.avif': 'image/avif',
    'favicon.ico': 'image/x-icon',
    'text.woff2': 'font/woff2',
    'text.woff': 'font/woff',
    'model.bin': 'application/octet-stream',
    'two words/más.txt': 'text/plain; charset=utf-8',
  };
  mkdirSync(path.join(root, 'two words'));
  for (const name of [...Object.keys(types), 'app.js.br', 'app.css.gz', '.hidden']) {
    writeFileSync(path.join(root, name), name);
  }
  const files = readWebFiles(root);
  rmSync(root, { recursive: true });
  expect(
    Object.fromEntries([...files].map(([url, { type }]) => [decodeURIComponent(url).slice(1), type])),
  ).toEqual(types);
  expect(files.has('/two%20words/m%C3%A1s.txt')).toBe(true);
  const has = (url: string) => [files.get(url)?.br !== undefined, files.get(url)?.gzip !== undefined];
  expect([has('/app.js'), has('/app.css'), has('/page.html')]).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});
