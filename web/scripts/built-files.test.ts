import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { precompress } from './precompress.ts';
import { prerenderLanding } from './prerender-landing.ts';

let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(`${tmpdir()}/casewatch-dist-`);
});
afterEach(() => rm(dist, { recursive: true }));

describe('prerenderLanding', () => {
  const page = `<head>
    <link rel="stylesheet" crossorigin href="/page.css">
    <link rel="preload" as="font" href="/font.woff2">
  </head><body><div id="root"></div></body>`;

  beforeEach(async () => {
    await writeFile(`${dist}/page.css`, 'p { color: red }\n');
    await writeFile(`${dist}/render.mjs`, "export const renderLanding = () => '<h1>$& costs $9</h1>';");
  });

  it('puts the HTML and the styles into the page, as they are', async () => {
    await writeFile(`${dist}/landing.html`, page);
    await prerenderLanding(dist, `${dist}/render.mjs`);
    const made = await readFile(`${dist}/landing.html`, 'utf8');
    expect(made).toContain('<div id="root"><h1>$& costs $9</h1></div>');
    expect(made).toContain('<style>p { color: red }</style>');
    expect(made).not.toContain('stylesheet');
    expect(made).toContain('/font.woff2');
  });

  it('refuses a page without an empty place for it', async () => {
    await writeFile(`${dist}/landing.html`, page.replace('id="root"', 'id="other"'));
    await expect(prerenderLanding(dist, `${dist}/render.mjs`)).rejects.toThrow('#root');
  });
});

describe('precompress', () => {
  it('puts a brotli and a gzip copy of the same text beside every text file, and none beside others', async () => {
    await writeFile(`${dist}/app.js`, 'let a = 1;');
    await writeFile(`${dist}/font.woff2`, 'binary');
    await precompress(dist);
    expect(brotliDecompressSync(await readFile(`${dist}/app.js.br`)).toString()).toBe('let a = 1;');
    expect(gunzipSync(await readFile(`${dist}/app.js.gz`)).toString()).toBe('let a = 1;');
    await expect(readFile(`${dist}/font.woff2.gz`)).rejects.toThrow('ENOENT');
  });
});
